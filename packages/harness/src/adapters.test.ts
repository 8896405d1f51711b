import { capabilitiesUsed } from '@catalog/core/artifact/capabilities-used';
import {
  FIRST_CLASS_TYPES,
  HOOK_EVENTS,
  RULE_MODES,
  type Artifact,
} from '@catalog/core/artifact/types';
import { isJsonObject } from '@catalog/core/json';
import { artifactOf } from '@catalog/testkit/authored-package';
import { describe, expect, test } from 'vitest';
import type { HarnessAdapter, Support } from './adapter.ts';
import { planArtifacts } from './plan.ts';
import type { Plan } from './planned.ts';
import { adapters } from './registry.ts';

const FIELDS = ['description', 'mcpServers', 'delegates_to', 'requiresApproval', 'sandbox_profile'];
const ROWS = [
  ...['skill', 'agent', 'context', 'command', 'mcp-server'].map((type) => `type:${type}`),
  ...FIELDS.map((field) => `field:${field}`),
  ...RULE_MODES.map((mode) => `rule_mode:${mode}`),
  ...HOOK_EVENTS.map((event) => `hook_event:${event}`),
];

function sample(type: string, keys = ''): Artifact {
  const manifest = `---\ntype: ${type}\nversion: 1.0.0\ndescription: A sample.\n${keys}---\n`;
  const skill = '---\nname: sample\ndescription: A sample.\n---\nProse.\n';
  return artifactOf(
    'ops/sample',
    type === 'skill'
      ? { 'ARTIFACT.md': manifest, 'SKILL.md': skill }
      : { 'ARTIFACT.md': `${manifest}Prose.\n` },
  );
}

const samples: readonly Artifact[] = [
  ...FIRST_CLASS_TYPES.filter((type) => type !== 'rule' && type !== 'hook').map((type) =>
    sample(type, type === 'mcp-server' ? 'server_identifier: npx:sample\n' : ''),
  ),
  ...RULE_MODES.map((mode) =>
    sample('rule', `rule_mode: ${mode}\nrule_globs: "a/**"\nrule_description: When it matters.\n`),
  ),
  ...HOOK_EVENTS.map((event) => sample('hook', `hook_event: ${event}\nhook_action: "true"\n`)),
  sample('skill', 'mcpServers: [{name: wh, command: npx}]\n'),
  sample('agent', 'delegates_to: [ops/other]\n'),
  sample('skill', 'requiresApproval: [{tool: Bash}]\n'),
  sample('command', 'sandbox_profile: read-only-fs\n'),
  sample('dataset'),
];

test('samples use every row of the matrix', () => {
  expect(new Set(samples.flatMap(capabilitiesUsed))).toEqual(new Set(ROWS));
});

test.each([...adapters])('%s is registered under its own id with a summary', (id, adapter) => {
  expect(adapter.id).toBe(id);
  expect(adapter.summary).not.toBe('');
  expect(adapter.revision).toBeGreaterThan(0);
});

const columns = [...adapters].flatMap(([id, adapter]): [string, HarnessAdapter][] =>
  adapter.user === undefined
    ? [[id, adapter]]
    : [
        [id, adapter],
        [`${id} in the home folder`, adapter.user],
      ],
);

describe.each(columns)('%s', (_, adapter) => {
  test('has a cell for every row, a sentence for every fallback and unsupported cell, and a mapping for every event', () => {
    const { capabilities, fallbacks, refusals, hook_events } = adapter;
    expect(Object.keys(capabilities).sort()).toEqual(ROWS.toSorted());
    expect(Object.keys(fallbacks).sort()).toEqual(rowsThatAre('fallback', adapter));
    expect(Object.keys(refusals).sort()).toEqual(rowsThatAre('unsupported', adapter));
    for (const sentence of [...Object.values(fallbacks), ...Object.values(refusals)]) {
      expect(sentence).toMatch(/[^.]$/);
    }
    expect(Object.keys(hook_events).sort()).toEqual(HOOK_EVENTS.toSorted());
  });

  test.each(samples.map((artifact) => [describeSample(artifact), artifact] as const))(
    'plans according to its capabilities: %s',
    (_, artifact) => {
      const plan = planArtifacts([artifact], adapter, { on_clash: 'fail' });
      const used = capabilitiesUsed(artifact);
      const unsupported = used.filter((row) => adapter.capabilities[row] === 'unsupported');
      const warned = adapter.warnings?.(artifact).map(({ capability }) => capability) ?? [];
      const fallback = used.filter((row) => adapter.capabilities[row] === 'fallback');
      expect(plan.unsupported.flatMap(({ capabilities }) => capabilities)).toEqual(unsupported);
      expect(plan.left_out).toEqual([]);
      if (unsupported.length > 0 || isRefusedExtension(plan, artifact)) {
        expect([...plan.files, ...plan.entries]).toEqual([]);
        return;
      }
      expect(plan.fallbacks.map(({ capability }) => capability)).toEqual([...fallback, ...warned]);
      expect(plan.fallbacks.every(({ reason }) => reason !== '')).toBe(true);
      expect(plan.files.length + plan.entries.length > 0).toBe(isWritten(artifact, adapter));
      expectNativeHook(plan, artifact, adapter);
      expect(planArtifacts([artifact], adapter, { on_clash: 'fail' })).toEqual(plan);
    },
  );

  test('includes the artifact id, version, layer and hash in all planned operations', () => {
    for (const artifact of samples) {
      const plan = planArtifacts([artifact], adapter, { on_clash: 'fail' });
      for (const planned of [...plan.files, ...plan.entries]) {
        expect(planned).toMatchObject({
          artifact_id: artifact.id,
          version: artifact.version,
          layer: artifact.layer,
          content_hash: artifact.content_hash,
        });
      }
    }
  });
});

function rowsThatAre(support: Support, { capabilities }: HarnessAdapter): string[] {
  return Object.entries(capabilities)
    .filter(([, cell]) => cell === support)
    .map(([row]) => row)
    .sort();
}

/** Returns true for a rejected extension type, for which the matrix has no feature. */
function isRefusedExtension({ unsupported }: Plan, { type }: Artifact): boolean {
  return type === 'dataset' && unsupported.length > 0;
}

function describeSample({ type, fields }: Artifact): string {
  return [type, fields.rule_mode, fields.hook_event].filter((part) => part !== undefined).join(' ');
}

/** Returns false for a hook whose event has no equivalent (SPEC-38). */
function isWritten({ fields }: Artifact, adapter: HarnessAdapter): boolean {
  return fields.hook_event === undefined || adapter.hook_events[fields.hook_event] !== undefined;
}

function expectNativeHook(plan: Plan, { fields }: Artifact, adapter: HarnessAdapter): void {
  const native =
    fields.hook_event === undefined ? undefined : adapter.hook_events[fields.hook_event];
  const entry = plan.entries.map((planned) => planned.entry).find(({ shape }) => shape === 'array');
  if (native === undefined || entry === undefined) return;
  expect(entry.container).toContain(native.event);
  expect(isJsonObject(entry.value) ? entry.value['matcher'] : undefined).toBe(native.matcher);
}
