import * as fc from 'fast-check';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { tomlDocument, tomlKey } from './toml-text.ts';

test('plain members come first, then tables; a text of several lines stays readable', () => {
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
])('%j survives', (text) => {
  expect(parse(tomlDocument({ text }))).toEqual({ text });
});

test('keys are quoted where they must be', () => {
  expect([tomlKey('a-b_1'), tomlKey('a.b'), tomlKey('')]).toEqual(['a-b_1', '"a.b"', '""']);
});

test('whatever is written is read back', () => {
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
