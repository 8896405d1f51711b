import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findHiddenCharacter } from './hidden-characters.ts';

const ENGLAND = '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}';

function isHidden(codePoint: number): boolean {
  const isControl = codePoint < 0x20 || (codePoint >= 0x7f && codePoint < 0xa0);
  const isDirection =
    (codePoint >= 0x202a && codePoint <= 0x202e) || (codePoint >= 0x2066 && codePoint <= 0x2069);
  const isTag = codePoint >= 0xe0000 && codePoint <= 0xe007f;
  return (
    (isControl && codePoint !== 0x09 && codePoint !== 0x0a) ||
    isDirection ||
    isTag ||
    codePoint === 0xfeff
  );
}

describe('findHiddenCharacter', () => {
  test('classifies every code point at every position', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.integer({ min: 0, max: 0x10ffff }),
          fc.integer({ min: 0, max: 0x2100 }),
          fc.integer({ min: 0xdfff0, max: 0xe0100 }),
        ),
        fc.constantFrom('', 'a', 'ä€', '\u{1F600}'),
        (codePoint, before) => {
          fc.pre(codePoint < 0xd800 || codePoint > 0xdfff);
          const start = `x${before}`;
          const found = findHiddenCharacter(`${start}${String.fromCodePoint(codePoint)}b\n`);
          expect(found?.offset).toBe(isHidden(codePoint) ? start.length : undefined);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  test.each([
    ['a byte order mark at the start', '\uFEFF---\n'],
    ['windows line ends', 'a\r\nb\r\n'],
    ['tabs', 'a\tb\n'],
    ['right-to-left prose', 'שלום עולם, مرحبا بالعالم\n'],
    ['joined emoji', '👩\u200D👩\u200D👧 ❤\uFE0F\n'],
    ['the flag of England', `Made in ${ENGLAND}.\n`],
    ['three flags in a row', `${ENGLAND}${ENGLAND}${ENGLAND}`],
  ])('accepts %s', (_, text) => {
    expect(findHiddenCharacter(text)).toBeUndefined();
  });

  test.each([
    [
      'a second byte order mark',
      '\uFEFF\uFEFFa',
      1,
      'U+FEFF, a byte order mark that is not at the start',
    ],
    ['a lone carriage return', 'a\r\nb\rc', 4, 'U+000D, a carriage return without a line feed'],
    ['an escape', 'a\u001B[2J', 1, 'U+001B, a control character'],
    ['an override', 'a\u202Eb', 1, 'U+202E, which changes the direction of text'],
    [
      'words in tag characters',
      'a\u{E0068}\u{E0069}',
      1,
      'U+E0068, a character of the invisible tag block',
    ],
    [
      'words after a flag',
      `${ENGLAND}\u{E0068}`,
      ENGLAND.length,
      'U+E0068, a character of the invisible tag block',
    ],
    [
      'a flag of nowhere',
      '\u{1F3F4}\u{E0068}\u{E0069}\u{E007F}',
      2,
      'U+E0068, a character of the invisible tag block',
    ],
    [
      'a flag without its end',
      ENGLAND.slice(0, -2),
      2,
      'U+E0067, a character of the invisible tag block',
    ],
  ])('finds and describes %s', (_, text, offset, description) => {
    expect(findHiddenCharacter(text)).toEqual({ offset, description });
  });
});
