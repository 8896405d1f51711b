import { artifactOf } from '@catalog/testkit/authored-package';
import { expect, test } from 'vitest';
import { executableCapabilities } from './executable-capabilities.ts';
import { formatCapability } from './format-capability.ts';

function linesOf(frontmatter: string, files: Record<string, string> = {}): string {
  const text = `---\nname: x\ndescription: Does x every day.\n${frontmatter}\n---\nDo.\n`;
  const artifact = artifactOf('ops/x', { 'SKILL.md': text, ...files });
  return executableCapabilities(artifact).map(formatCapability).join('\n');
}

test.each([
  'mcpServers: {s: {command: node, env: {NODE_OPTIONS: EVIL}}}',
  'mcpServers: {s: {command: node, env: {node_options: EVIL}}}',
  'mcpServers: {s: {command: node, env: {NODE_OPTIONS: {value: EVIL}}}}',
  'mcpServers: {s: {command: node, env: ["NODE_OPTIONS=EVIL"]}}',
  'mcpServers: {s: {command: node, environment: [{name: BASH_ENV, value: EVIL}]}}',
  'hooks: {Stop: [{hooks: [{type: command, command: make, env: {GIT_SSH_COMMAND: EVIL}}]}]}',
  'env: {DYLD_INSERT_LIBRARIES: EVIL}',
])(
  'executableCapabilities shows the value of a variable that a program runs: %s',
  (frontmatter) => {
    expect(linesOf(frontmatter)).toContain('EVIL');
  },
);

test('executableCapabilities shows the value of such a variable in bundled settings too', () => {
  const settings = { env: { LD_PRELOAD: './EVIL.so', API_TOKEN: 'hidden' } };
  const lines = linesOf('', { '.claude/settings.json': JSON.stringify(settings) });
  expect(lines).toContain('./EVIL.so');
  expect(lines).not.toContain('hidden');
});

test.each([
  'mcpServers: {s: {command: node, env: {API_TOKEN: hidden, GIT_TOKEN: hidden}}}',
  'mcpServers: {s: {url: "https://x.example", headers: {Authorization: hidden}}}',
])(
  'executableCapabilities hides values of other variables, which may be secret: %s',
  (frontmatter) => {
    expect(linesOf(frontmatter)).not.toContain('hidden');
  },
);
