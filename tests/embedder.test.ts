import { encode, tokenize } from '@catalog/embedder/encode';
import { VOCABULARY } from '@catalog/embedder/model';
import { DATA_FOLDER, readData } from '@catalog/embedder/read-data';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StaticEncoder } from '../bench/baselines/reference-encoder.mjs';
import { seededRandom } from '../tools/seeded-random.ts';

const TEXTS = 10_000;
const SEED = 9;
const BYTES_OF_LONG_TEXT = 100_000;

const reference = StaticEncoder.load(DATA_FOLDER);
const vocabulary = readData(VOCABULARY).toString().trimEnd().split('\n');

const RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x7f],
  [0x80, 0x24f],
  [0x300, 0x36f],
  [0x370, 0x3ff],
  [0x400, 0x52f],
  [0x590, 0x6ff],
  [0x900, 0xdff],
  [0xe00, 0xeff],
  [0x1100, 0x11ff],
  [0x1e00, 0x1fff],
  [0x2000, 0x20ff],
  [0x2100, 0x27bf],
  [0x2e80, 0x312f],
  [0x3400, 0x4dff],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7ff],
  [0xd800, 0xdfff],
  [0xe000, 0xf8ff],
  [0xf900, 0xfaff],
  [0xfe00, 0xffff],
  [0x10000, 0x1ffff],
  [0x20000, 0x2fa1f],
  [0x30000, 0x323af],
  [0xe0000, 0x10ffff],
];

const codePoint = fc
  .constantFrom(...RANGES)
  .chain(([first, last]) => fc.integer({ min: first, max: last }));
const anything = fc.array(codePoint, { maxLength: 60 }).map((points) => join(points));
const ofOneScript = fc
  .constantFrom(...RANGES)
  .chain(([first, last]) => fc.array(fc.integer({ min: first, max: last }), { maxLength: 60 }))
  .map((points) => join(points));
const known = fc.constantFrom(...vocabulary).map((piece) => piece.replace('##', ''));
/** Adjacent pieces form words that the tokenizer must split again. */
const written = fc
  .array(fc.tuple(known, fc.constantFrom('', '', ' ', ' ', '-', ', ', '.\n', '\u00AD', 'é', 'İ')), {
    maxLength: 40,
  })
  .map((pieces) => pieces.flat().join(''));
const longWord = fc
  .tuple(
    fc.constantFrom('a', 'ß', 'Σ', '\u{10400}', '\u{1F600}', 'ｘ'),
    fc.integer({ min: 95, max: 205 }),
  )
  .map(([letter, length]) => `see ${letter.repeat(length)} there`);
const manyTokens = fc
  .array(
    fc.oneof(
      known,
      codePoint.map((point) => join([point])),
    ),
    { minLength: 450, maxLength: 700 },
  )
  .map((pieces) => pieces.join(' '));
const text = fc.oneof(
  { weight: 6, arbitrary: written },
  { weight: 5, arbitrary: anything },
  { weight: 5, arbitrary: ofOneScript },
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  { weight: 1, arbitrary: longWord },
  { weight: 1, arbitrary: manyTokens },
);

function join(points: readonly number[]): string {
  return points.map((point) => String.fromCodePoint(point)).join('');
}

/** Compares bit by bit: vectors of one implementation are compared with those of the other. */
function expectSame(given: string): void {
  const tokens = tokenize(given);
  expect(tokens).toEqual(reference.tokenize(given));
  expect(bytesOf(encode(given))).toBe(bytesOf(reference.encode(given)));
}

function bytesOf({ buffer }: Float32Array): string {
  return Buffer.from(buffer).toString('base64');
}

test(`${TEXTS} strings in all scripts have the same tokens and vector as in the reference encoder`, () => {
  fc.assert(fc.property(text, expectSame), { numRuns: TEXTS, seed: SEED });
});

test('long strings, including a single word and invisible characters, have the same tokens and vector', () => {
  const random = seededRandom('long texts');
  const points = Array.from({ length: BYTES_OF_LONG_TEXT }, () => {
    const [first, last] = random.pick(RANGES);
    return first + random.int(last - first + 1);
  });
  const pieces = Array.from({ length: BYTES_OF_LONG_TEXT / 5 }, () => random.pick(vocabulary));
  const letters = 'x'.repeat(BYTES_OF_LONG_TEXT);
  const invisible = '\u200B'.repeat(BYTES_OF_LONG_TEXT);
  for (const long of [
    join(points),
    pieces.join(' '),
    letters,
    invisible,
    `${invisible}pdf ${letters} é`,
  ]) {
    expectSame(long);
  }
});
