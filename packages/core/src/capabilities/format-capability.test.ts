import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ExecutableCapability } from './capability.ts';
import { formatCapability } from './format-capability.ts';

function server(facts: object): ExecutableCapability {
  return {
    kind: 'mcp_server',
    file: 'SKILL.md',
    name: 'x',
    args: [],
    headers: [],
    variables: [],
    hash: 'sha256:0123456789abcdef',
    ...facts,
  };
}

test.each([
  ['an escape sequence', 'a\u001B[2Kb', 'a\\u{1b}[2Kb'],
  ['a line of its own', 'a\r\nSKILL.md: safe', 'a\\r\\nSKILL.md: safe'],
  ['reordered text', 'a\u202Eb\u2066c', 'a\\u{202e}b\\u{2066}c'],
  [
    'text nobody sees',
    'a\u200Bb\u200Dc\uFE0Fd\u{E0041}',
    'a\\u{200b}b\\u{200d}c\\u{fe0f}d\\u{e0041}',
  ],
  ['spaces of other kinds', 'a\u00A0b\u2003c\u2800d', 'a\\u{a0}b\\u{2003}c\\u{2800}d'],
  ['half of a character', 'a\uD800', 'a\\u{d800}'],
  ['letters of any script', '발행 é', '발행 é'],
])('formatCapability escapes %s', (_, command, printed) => {
  const line = formatCapability({ kind: 'inline_command', file: 'SKILL.md', command });
  expect(line).toBe(`SKILL.md: inline command runs: ${printed}`);
});

test('formatCapability truncates a long command and prints the number of cut characters', () => {
  const command = `run ${'x'.repeat(1000)}`;
  const line = formatCapability({ kind: 'inline_command', file: 'SKILL.md', command });
  expect(line).toBe(`SKILL.md: inline command runs: run ${'x'.repeat(296)}… (704 more characters)`);
});

test('formatCapability shows command and variables even if the name is long', () => {
  const line = formatCapability(
    server({ name: 'n'.repeat(5000), command: 'evil', variables: ['TOKEN'], headers: ['H'] }),
  );
  expect(line).toMatch(
    /^SKILL\.md: MCP server n{300}… \(4700 more characters\) \(headers H; environment variables TOKEN\) runs: evil$/,
  );
});

test('formatCapability quotes the words of a command line', () => {
  expect(formatCapability(server({ command: 'a b', args: ['c d', "it's", ''] }))).toBe(
    String.raw`SKILL.md: MCP server x runs: 'a b' 'c d' 'it'\''s' ''`,
  );
});

test('formatCapability quotes a name that imitates other output', () => {
  const tool = 'Read (SKILL.md: nothing else)';
  expect(formatCapability({ kind: 'allowed_tool', file: 'SKILL.md', key: 'tools', tool })).toBe(
    "SKILL.md: tools allows the tool 'Read (SKILL.md: nothing else)'",
  );
});

test('formatCapability describes every kind', () => {
  const hash = 'sha256:0123456789abcdef';
  const lines = [
    { kind: 'script', file: 'a', executable: true, hash } as const,
    { kind: 'configuration_file', file: 'a', hash } as const,
    { kind: 'unreadable_file', file: 'a', hash } as const,
    { kind: 'unknown_executable_key', file: 'a', key: 'k', value: '{}', hash } as const,
    { kind: 'environment_variable', file: 'a', name: 'N', hash } as const,
    { kind: 'plugin', file: 'a', key: 'k', source: 's' } as const,
    { kind: 'permission', file: 'a', key: 'k', value: 'v' } as const,
    { kind: 'truncated', limit: 5, hash } as const,
  ].map((capability) => formatCapability(capability));
  expect(lines).toEqual([
    'a: executable script sha256:0123456789ab',
    'a: configuration file sha256:0123456789ab',
    'a: frontmatter cannot be read, sha256:0123456789ab',
    'a: unknown key k may run something (sha256:0123456789ab): {}',
    'a: environment variable N',
    'a: k loads s',
    'a: permission k is v',
    'more than 5 capabilities; the rest are not listed',
  ]);
});

test('formatCapability prints one short line without control characters for any text of an author', () => {
  const text = fc.string({ unit: 'binary', maxLength: 2000 });
  fc.assert(
    fc.property(text, text, text, fc.array(text), (file, name, command, args) => {
      const line = formatCapability(
        server({ file, name, command, url: command, args, headers: args }),
      );
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      expect(line.length).toBeLessThan(2500);
    }),
  );
});
