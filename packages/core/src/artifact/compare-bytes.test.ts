import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareBytes } from './compare-bytes.ts';

function compareEncoded(a: string, b: string): number {
  return Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

describe('compareBytes', () => {
  test.each([
    ['a', 'b', -1],
    ['b', 'a', 1],
    ['a', 'a', 0],
    ['a', 'ab', -1],
    ['', 'a', -1],
    ['Z', 'a', -1],
    ['a/b', 'a-b', 1],
    ['é', 'z', 1],
    // UTF-16 orders U+FF5E after the surrogates of U+1F600; UTF-8 orders it before.
    ['～', '😀', -1],
    ['😀', '～', 1],
    ['\ud7ff', '\ue000', -1],
    ['\ue000', '😀', -1],
  ])('compares %j with %j as %i', (a, b, expected) => {
    expect(Math.sign(compareBytes(a, b))).toBe(expected);
  });

  test('orders strings by their UTF-8 bytes', () => {
    const character = fc.oneof(
      fc.constantFrom('a', '~', '\ud7ff', '\ue000', '～', '😀'),
      fc.integer({ min: 0, max: 0xd7ff }).map((code) => String.fromCodePoint(code)),
    );
    const text = fc.array(character, { maxLength: 6 }).map((characters) => characters.join(''));
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareBytes(a, b))).toBe(compareEncoded(a, b));
      }),
    );
  });

  test('compares strings with a common prefix', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (start, a, b) => {
        expect(Math.sign(compareBytes(start + a, start + b))).toBe(compareEncoded(a, b));
      }),
    );
  });
});
