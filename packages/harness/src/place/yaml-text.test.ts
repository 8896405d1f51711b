import * as fc from 'fast-check';
import type { Json } from '@catalog/core/json';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { yamlMembers, yamlText } from './yaml-text.ts';

test('yamlText quotes strings only if a parser could read them differently', () => {
  for (const plain of ['Read', 'a sentence, no', 'mcp__wh__query', 'x:y', "it's"]) {
    expect(yamlText(plain)).toBe(plain.includes(',') ? `"${plain}"` : plain);
  }
  for (const ambiguous of [
    '',
    'yes',
    'NULL',
    '1.0',
    '2026-01-01',
    'a: b',
    'a #b',
    '- a',
    '{a}',
    'a ',
  ]) {
    expect(yamlText(ambiguous)).toBe(JSON.stringify(ambiguous));
  }
  expect(yamlText('a\u0085b\u2028')).toBe('"a\\u0085b\\u2028"');
});

test('yamlMembers writes nested lists and maps as blocks', () => {
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

test('a string written as YAML parses back to the same value', () => {
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
