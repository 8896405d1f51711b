import { expect, test } from 'vitest';
import { HOOK_EVENTS, RULE_MODES } from '@catalog/core/artifact/types';
import { artifactOf } from '@catalog/testkit/authored-package';
import {
  CAPABILITIES,
  capabilityNames,
  describeHarness,
  sharedReasons,
} from './describe-harness.ts';
import { planArtifacts } from './plan.ts';
import { adapters, loadAdapter } from './registry.ts';

test('describeHarness lists every row of the matrix once', () => {
  expect([...CAPABILITIES].toSorted()).toEqual(
    Object.keys(loadAdapter('none').capabilities).toSorted(),
  );
});

test.each([...adapters.values()])(
  '$id has an explanation for every cell that is not native',
  (adapter) => {
    for (const scope of [adapter, adapter.user ?? adapter]) {
      const { cells } = describeHarness(scope).project;
      const withoutReason = cells.filter(({ support, reason }) => support !== 'native' && !reason);
      expect(withoutReason).toEqual([]);
    }
  },
);

const SKILL = artifactOf('ops/check', {
  'ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\n---\n',
  'SKILL.md': '---\nname: check\ndescription: Checks a release.\n---\nCheck.\n',
});
const DOCUMENTS = (['agent', 'command', 'rule', 'context'] as const).map((type) =>
  artifactOf('ops/check', {
    'ARTIFACT.md': `---\ntype: ${type}\nversion: 1.0.0\ndescription: Checks a release.\n---\nCheck.\n`,
  }),
);

test.each([...adapters.values()])('$id writes to its described destinations', (adapter) => {
  for (const scope of [adapter, adapter.user ?? adapter]) {
    for (const artifact of [SKILL, ...DOCUMENTS]) {
      const { files, entries } = planArtifacts([artifact], scope, { on_clash: 'fail' });
      const paths = [...files, ...entries].map(({ path }) => path);
      const place = Object.entries(scope.destinations).find(([type]) => type === artifact.type);
      const expectedPath = place?.[1].path.replace('{name}', 'check').replace('{id}', 'ops/check');
      if (expectedPath === undefined) expect(paths).toEqual([]);
      else
        expect(
          paths.some((path) => path === expectedPath || path.startsWith(`${expectedPath}/`)),
        ).toBe(true);
    }
  }
});

test('describeHarness combines adjacent modes and events under one name', () => {
  const modes = RULE_MODES.map((mode) => `rule_mode:${mode}` as const);
  const events = HOOK_EVENTS.map((event) => `hook_event:${event}` as const);
  expect(capabilityNames([...modes, ...events, 'type:agent', 'field:description'])).toEqual([
    'agent',
    'rule',
    'hook',
  ]);
  expect(capabilityNames(['rule_mode:glob', 'hook_event:stop', 'field:delegates_to'])).toEqual([
    'rule_mode glob',
    'stop',
    'field delegates_to',
  ]);
});

test('describeHarness groups cells with one reason, even if each reason names its own cell', () => {
  const cells = describeHarness(loadAdapter('codex')).project.cells;
  const refused = sharedReasons(cells, 'unsupported');
  expect(refused).toContainEqual({
    names: ['post_tool_use_failure', 'pre_read_file', 'permission_denied', 'notification'],
    reason: 'the harness has no event for these',
  });
  expect(refused.map(({ names }) => names)).toContainEqual(['command']);
  const [alone] = sharedReasons(
    cells.filter(({ capability }) => capability === 'hook_event:notification'),
    'unsupported',
  );
  expect(alone?.reason).toBe('the harness has no event for notification');
});
