import * as fc from 'fast-check';
import type { Json } from '@catalog/core/json';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { yamlMembers, yamlText } from './yaml-text.ts';

test('texts are plain where that is safe, and quoted where a reader could see something else', () => {
  for (const plain of ['Read', 'a sentence, no', 'mcp__wh__query', 'x:y', "it's"]) {
    expect(yamlText(plain)).toBe(plain.includes(',') ? `"${plain}"` : plain);
  }
  for (const odd of ['', 'yes', 'NULL', '1.0', '2026-01-01', 'a: b', 'a #b', '- a', '{a}', 'a ']) {
    expect(yamlText(odd)).toBe(JSON.stringify(odd));
  }
  expect(yamlText('a\u0085b\u2028')).toBe('"a\\u0085b\\u2028"');
});

test('lists and maps are blocks, however deep', () => {
  const members: [string, Json][] = [
    ['tools', ['Read', 'Bash(git *)']],
    ['servers', [{ wh: { command: 'npx', args: ['-y'], env: {} } }]],
  ];
  const text = yamlMembers(members);
  expect(text).toBe(`tools:
  - Read
  - Bash(git *)
servers:
  - wh:
      command: npx
      args:
        - "-y"
      env: {}
`);
  expect(load(text)).toEqual(Object.fromEntries(members));
});

test('whatever is written is read back', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string());
  const value = fc.oneof(
    text,
    fc.boolean(),
    fc.integer(),
    fc.constant(null),
    fc.array(text, { maxLength: 3 }),
  );
  const map = fc.dictionary(text, value, { maxKeys: 3, noNullPrototype: true });
  fc.assert(
    fc.property(value, map, (plain, deep) => {
      const members = { plain, deep, list: [deep, plain] };
      expect(load(yamlMembers(Object.entries(members)))).toEqual(members);
    }),
  );
});
