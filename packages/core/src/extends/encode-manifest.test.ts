import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../json.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import { encodeManifest } from './encode-manifest.ts';

const PLACE = { file: 'a/ARTIFACT.md', artifact_id: 'a', layer: 'base' };

function readBack(text: string): unknown {
  const reading = readManifest(new TextEncoder().encode(text), PLACE);
  if (reading.kind === 'refused') return reading.problems.map(({ message }) => message);
  return [reading.manifest.values, reading.manifest.body];
}

function plain(values: unknown): unknown {
  return JSON.parse(JSON.stringify(values));
}

const TRICKY = [
  '',
  ' ',
  '<<',
  '*alias',
  '&anchor',
  '!tag',
  '# no comment',
  'a: b',
  'a #b',
  '- item',
  '? key',
  '---',
  '...',
  '%directive',
  '@at',
  '`tick',
  'true',
  'null',
  '~',
  '1.10',
  '010',
  '0x1F',
  '1e3',
  '.inf',
  '12345678901234567890',
  '2020-01-01',
  "it's",
  '"quoted"',
  'two\nlines',
  '\nleading',
  'trailing\n\n',
  '  indented\nthen not',
  'a\n---\nb',
  'tab\there',
  'a\\b',
  'é 😀 ～',
];

describe('encodeManifest', () => {
  test('writes block style in order, followed by the body', () => {
    const values: JsonObject = { type: 'rule', tags: ['a', 'b'], x: { y: null, z: [] } };
    expect(encodeManifest(values, 'Body.\n')).toBe(
      '---\ntype: rule\ntags:\n  - a\n  - b\nx:\n  y: null\n  z: []\n---\nBody.\n',
    );
    expect(encodeManifest({}, '')).toBe('---\n---\n');
  });

  test.each(TRICKY)('preserves %j as a value and as a key', (text) => {
    const values: JsonObject = { value: text, list: [text, [text]], map: { inner: text } };
    expect(plain(readBack(encodeManifest(values, '')))).toEqual([values, '']);
    if (text.includes('\n')) return;
    const keyed: JsonObject = { [text]: 1, map: { [text]: 2 } };
    expect(plain(readBack(encodeManifest(keyed, '')))).toEqual([keyed, '']);
  });

  test.each([0, -1, 1.5, 1e21, 1e-7, 2 ** 53, -2.5e-9])('preserves the number %d', (value) => {
    expect(plain(readBack(encodeManifest({ value }, '')))).toEqual([{ value }, '']);
  });

  const scalar = fc.oneof(
    fc.constantFrom(...TRICKY),
    fc.stringMatching(/^[ -~\n]{0,12}$/),
    fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => value + 0),
    fc.boolean(),
    fc.constant(null),
  );
  const key = fc.stringMatching(/^[ -~]{1,8}$/);
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 3 }),
    ),
  }));

  test('is the inverse of reading for any values', () => {
    const forbidden = /"(?:__proto__|constructor|prototype)":/;
    fc.assert(
      fc.property(fc.dictionary(key, value, { maxKeys: 4 }), fc.string(), (values, body) => {
        const json = JSON.stringify(values);
        fc.pre(!forbidden.test(json));
        const encoded: JsonObject = JSON.parse(json);
        const back = plain(readBack(encodeManifest(encoded, '')));
        expect(back).toEqual([encoded, '']);
        expect(encodeManifest(encoded, body).endsWith(`---\n${body}`)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
