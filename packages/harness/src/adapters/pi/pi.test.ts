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

test('writes a prompt with keys of the product and canonical placeholders', () => {
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

test('writes a hook as a short extension that uses a shared file', () => {
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

test('writes the shared file once for several hooks', () => {
  const hooks = ['stop', 'session_start'].map((event) =>
    artifactOf(`ops/${event}`, {
      'ARTIFACT.md': `---\ntype: hook\nversion: 1.0.0\nhook_event: ${event}\nhook_action: x\n---\n`,
    }),
  );
  const { files } = planArtifacts(hooks, pi, { on_clash: 'fail' });
  expect(files.filter(({ path }) => path === '.catalog/hooks/pi.mjs')).toHaveLength(1);
});

function server(keys: string): ReturnType<typeof planArtifacts> {
  return planArtifacts([artifact(`type: mcp-server\n${keys}`)], pi, { on_clash: 'fail' });
}

test('rejects an agent and suggests target_harnesses', () => {
  const { unsupported } = planArtifacts([artifact('type: agent\n')], pi, { on_clash: 'fail' });
  expect(unsupported[0]?.reason).toContain('target_harnesses');
});

test.each([
  ['timeout: 30', { timeout: 30 }],
  ['allowed_tools: [a, b]', { exposure: 'hidden', toolExposure: { a: 'codemode', b: 'codemode' } }],
  ['denied_tools: [c]', { toolExposure: { c: 'hidden' } }],
  [
    'allowed_tools: [a, c]\ndenied_tools: [c]',
    { exposure: 'hidden', toolExposure: { a: 'codemode' } },
  ],
])('pi writes an MCP server with %s', (limits, members) => {
  const { entries, fallbacks } = server(`command: wh\nenv: {KEY: "\${secret:KEY}"}\n${limits}\n`);
  expect(entries.map(({ path, entry: { value } }) => [path, value])).toEqual([
    ['.pi/mcp.json', { command: 'wh', env: { KEY: '${KEY}' }, ...members }],
  ]);
  expect(fallbacks).toEqual([]);
});

test.each([
  ['url: https://wh.example\ntransport: sse\n', 'Pi has no transport sse'],
  ['url: https://wh.example\nheaders: {Authorization: "!whoami"}\n', 'Pi runs the value of'],
  ['command: wh\nenv: {KEY: "!whoami"}\n', 'Pi runs the value of KEY as a command'],
])('rejects an MCP server that Pi would run differently: %s', (keys, reason) => {
  expect(server(keys).unsupported[0]?.reason).toContain(reason);
});
