import type { Artifact } from '@catalog/core/artifact/types';
import { artifactOf } from '@catalog/testkit/authored-package';
import { expect, test } from 'vitest';
import { planArtifacts } from '../../plan.ts';
import { pi } from './index.ts';

function artifact(keys: string, body = 'Prose.\n'): Artifact {
  return artifactOf('ops/sample', {
    'ARTIFACT.md': `---\nversion: 1.0.0\ndescription: A sample.\n${keys}---\n${body}`,
  });
}

test('a prompt has the keys Pi knows and the canonical placeholders', () => {
  const prompt = artifact(
    'type: command\ntags: [x]\nargument-hint: "[focus]"\n',
    'Review $1 in $ARGUMENTS.\n',
  );
  const { files, fallbacks } = planArtifacts([prompt], pi, { on_clash: 'fail' });
  expect(files.map(({ path }) => path)).toEqual(['.pi/prompts/sample.md']);
  expect(new TextDecoder().decode(files[0]?.bytes)).toBe(
    '---\ndescription: A sample.\nargument-hint: "[focus]"\n---\nReview $1 in $ARGUMENTS.\n',
  );
  expect(fallbacks).toEqual([]);
});

test('a hook is an extension of a few lines beside one file they share', () => {
  const hook = artifact('type: hook\nhook_event: pre_read_file\nhook_action: check\n');
  const { files } = planArtifacts([hook], pi, { on_clash: 'fail' });
  expect(files.map(({ path }) => path)).toEqual([
    '.pi/extensions/catalog-sample.ts',
    '.catalog/hooks/pi.mjs',
  ]);
  expect(new TextDecoder().decode(files[0]?.bytes))
    .toBe(`// Written by catalog from ops/sample; a change here is lost with the next sync.
import { hook } from "../../.catalog/hooks/pi.mjs";

export default hook({
  "id": "ops/sample",
  "harness": "pi",
  "event": "pre_read_file",
  "on": "tool_call",
  "tool": "^read$",
  "command": "check",
  "timeout": 60
});
`);
});

test('several hooks share that file, which is one of the plan', () => {
  const hooks = ['stop', 'session_start'].map((event) =>
    artifactOf(`ops/${event}`, {
      'ARTIFACT.md': `---\ntype: hook\nversion: 1.0.0\nhook_event: ${event}\nhook_action: x\n---\n`,
    }),
  );
  const { files } = planArtifacts(hooks, pi, { on_clash: 'fail' });
  expect(files.filter(({ path }) => path === '.catalog/hooks/pi.mjs')).toHaveLength(1);
});

test.each([
  ['agent', 'type: agent\n'],
  ['server', 'type: mcp-server\ncommand: x\n'],
])('an %s is refused with a way out', (_, keys) => {
  const { unsupported } = planArtifacts([artifact(keys)], pi, { on_clash: 'fail' });
  expect(unsupported[0]?.reason).toContain('target_harnesses');
});
