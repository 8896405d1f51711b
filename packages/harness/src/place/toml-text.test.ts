import * as fc from 'fast-check';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { tomlDocument, tomlKey } from './toml-text.ts';

test('writes scalars before tables, and multiline strings on several lines', () => {
  const text = tomlDocument({
    name: 'triager',
    mcp_servers: { wh: { command: 'npx', args: ['-y'], env: { 'A.B': '1' } } },
    developer_instructions: 'Sort "all" of it.\nC:\\temp\n',
    nothing: null,
  });
  expect(text).toBe(`name = "triager"
developer_instructions = '''
Sort "all" of it.
C:\\temp
'''

[mcp_servers.wh]
command = "npx"
args = ["-y"]

[mcp_servers.wh.env]
"A.B" = "1"
`);
});

test.each([
  "ends with '\nquote'",
  "holds ''' three\n",
  'carriage\r\nreturn\n',
  'bell\u0007\ndel\u007F',
  '\n\nstarts empty',
  '"""\n\\"""\\',
])('tomlString keeps %j unchanged after parsing', (text) => {
  expect(parse(tomlDocument({ text }))).toEqual({ text });
});

test('tomlDocument quotes keys only if necessary', () => {
  expect([tomlKey('a-b_1'), tomlKey('a.b'), tomlKey('')]).toEqual(['a-b_1', '"a.b"', '""']);
});

test('a string written as TOML parses back to the same value', () => {
  const text = fc
    .oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom("'", '"', '\\', '\n', '\r', 'a') }),
    )
    .filter((name) => name !== '__proto__');
  const value = fc.oneof(text, fc.boolean(), fc.integer(), fc.array(text, { maxLength: 3 }));
  const map = fc.dictionary(text, value, { maxKeys: 3, noNullPrototype: true });
  fc.assert(
    fc.property(value, map, (plain, deep) => {
      const document = { deep: { deeper: deep }, plain, list: [deep, plain] };
      expect(parse(tomlDocument(document))).toEqual(document);
    }),
  );
});
