import { HOOK_EVENTS, RULE_MODES, type Artifact } from '@catalog/core/artifact/types';
import { artifactOf } from '@catalog/testkit/authored-package';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HarnessAdapter } from './adapter.ts';
import { findFormats } from './marketplace/find-format.ts';
import { renderMarketplace } from './marketplace/render-marketplace.ts';
import { openOwnership, type ClaimedTarget, type WrittenClaim } from './owns-path.ts';
import { planWorkspace } from './plan.ts';
import type { Plan } from './planned.ts';
import { adapters } from './registry.ts';

const segment = fc.constantFrom('ops', 'check', 'a-b', 'é', "it's", '{id}', '{name}', '{any}', 'x');
const plain = fc.constantFrom('ops', 'check', 'a-b', 'x', 'context-check');

function idOf(part: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
}

function manifest(keys: Record<string, unknown>, body = 'Text.\n'): string {
  const lines = Object.entries(keys).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  return `---\nversion: 1.0.0\ndescription: Something to do.\n${lines.join('')}---\n${body}`;
}

const FILES = { 'scripts/run.sh': '#!/bin/sh\n', 'references/deep/notes.md': 'Notes.\n' };

const artifact: fc.Arbitrary<Artifact> = fc.oneof(
  idOf(plain).map((id) => {
    const name = id.slice(id.lastIndexOf('/') + 1);
    return artifactOf(id, {
      'ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\n---\n',
      'SKILL.md': `---\nname: ${name}\ndescription: Does something.\n---\nDo.\n`,
      ...FILES,
    });
  }),
  fc
    .tuple(fc.constantFrom('agent', 'command', 'context', 'dataset'), idOf(segment))
    .map(([type, id]) => artifactOf(id, { 'ARTIFACT.md': manifest({ type }), ...FILES })),
  fc.tuple(fc.constantFrom(...RULE_MODES), idOf(segment)).map(([rule_mode, id]) =>
    artifactOf(id, {
      'ARTIFACT.md': manifest({
        type: 'rule',
        rule_mode,
        rule_globs: 'src/**',
        rule_description: 'x',
      }),
    }),
  ),
  fc.tuple(fc.constantFrom(...HOOK_EVENTS), idOf(plain)).map(([hook_event, id]) =>
    artifactOf(id, {
      'ARTIFACT.md': manifest({ type: 'hook', hook_event, hook_action: 'sh scripts/run.sh' }),
      ...FILES,
    }),
  ),
  fc
    .tuple(idOf(segment), fc.constantFrom('warehouse', 'mcpServers', '{any}'))
    .map(([id, start]) => {
      // Unique names, because servers with the same name would clash.
      const name = `${start}-${id.split('/')[0] ?? ''}`;
      const keys = { type: 'mcp-server', name, command: 'run' };
      return artifactOf(id, { 'ARTIFACT.md': manifest(keys) });
    }),
);

const artifacts = fc.uniqueArray(artifact, {
  minLength: 1,
  maxLength: 5,
  selector: ({ id }) => id.split('/')[0],
});

function claims({ files, entries }: Pick<Plan, 'files' | 'entries'>): WrittenClaim[] {
  return [
    ...files.map(({ path, artifact_id: id }) => ({ path, id })),
    ...entries.map(({ path, artifact_id: id, entry }) => ({ path, id, entry })),
  ];
}

function expectOwned(plan: Plan, target: ClaimedTarget): void {
  const ownsPath = ownershipOf(target);
  for (const claim of claims(plan)) {
    expect(ownsPath(claim), JSON.stringify({ ...target, ...claim })).toBe('owned');
  }
}

const opened = new Map<string, ReturnType<typeof openOwnership>>();

function ownershipOf(target: ClaimedTarget): ReturnType<typeof openOwnership> {
  const key = JSON.stringify(target);
  const ownsPath = opened.get(key) ?? openOwnership(target);
  opened.set(key, ownsPath);
  return ownsPath;
}

function scopesOf(adapter: HarnessAdapter): HarnessAdapter[] {
  const { user, user_on } = adapter;
  return [adapter, user, user_on?.darwin, user_on?.win32].filter((one) => one !== undefined);
}

const selection = fc.record({
  given: artifacts,
  is_qualified: fc.boolean(),
  rule_fallback: fc.constantFrom('always' as const, 'skill' as const, 'skip' as const),
});

test('every adapter owns all paths that it plans, in every scope', () => {
  fc.assert(
    fc.property(selection, ({ given, is_qualified, rule_fallback }) => {
      const qualified = is_qualified ? given.map(({ id }) => id) : [];
      for (const [harness, adapter] of adapters) {
        for (const one of scopesOf(adapter)) {
          const request = { adapter: one, artifacts: given, rule_fallback };
          const [plan] = planWorkspace([request], { on_clash: 'qualify', qualified });
          if (plan !== undefined) expectOwned(plan, { harness, marketplace: false });
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('adapters own all paths that they plan together', () => {
  const harnesses = fc.shuffledSubarray([...adapters.keys()], { minLength: 2, maxLength: 4 });
  fc.assert(
    fc.property(artifacts, harnesses, (given, chosen) => {
      const requests = chosen.flatMap((id) => {
        const adapter = adapters.get(id);
        return adapter === undefined ? [] : [{ adapter, artifacts: given }];
      });
      const plans = planWorkspace(requests, { on_clash: 'qualify' });
      for (const [index, plan] of plans.entries()) {
        expectOwned(plan, { harness: chosen[index] ?? '', marketplace: false });
      }
    }),
    { numRuns: 100 },
  );
});

test('a marketplace owns all paths that it renders', () => {
  const formats = [...adapters.keys(), 'agent-plugins'].filter(
    (harness) => findFormats([harness]).formats.length > 0,
  );
  expect(formats.length).toBeGreaterThan(5);
  fc.assert(
    fc.property(artifacts, fc.constantFrom('ops', 'x-y'), (given, plugin) => {
      for (const harness of formats) {
        const market = {
          name: 'market',
          description: 'A market.',
          plugins: [{ name: plugin, description: 'A plugin.', artifacts: given }],
          formats: findFormats([harness]).formats,
        };
        const { plan } = renderMarketplace(market, { on_clash: 'qualify' });
        expectOwned(plan, { harness, marketplace: true });
      }
    }),
    { numRuns: 60 },
  );
});
