import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesHash, contentHash, type HashedFile } from './content-hash.ts';

function file(path: string, text: string, executable = false): HashedFile {
  return { path, bytes: new TextEncoder().encode(text), executable };
}

function sha256(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** Pairs of packages that would have the same hash without lengths, modes or order. */
const CONFUSABLE: readonly (readonly [why: string, a: HashedFile[], b: HashedFile[]])[] = [
  ['a path that goes on in the bytes', [file('a', 'bc')], [file('ab', 'c')]],
  [
    'bytes that move to the next file',
    [file('a', 'x'), file('b', '')],
    [file('a', ''), file('b', 'x')],
  ],
  ['one file that spells two', [file('a', 'x'), file('b', 'y')], [file('a', 'x1:b-1:y')]],
  ['the executable bit', [file('a', 'x')], [file('a', 'x', true)]],
  ['an empty file', [file('a', 'x')], [file('a', 'x'), file('b', '')]],
  ['no file and an empty one', [], [file('', '')]],
];

const anyFile = fc.record({
  path: fc.string({ unit: 'grapheme' }),
  bytes: fc.uint8Array({ maxLength: 40 }),
  executable: fc.boolean(),
});
const files = fc.uniqueArray(anyFile, { selector: ({ path }) => path, maxLength: 5 });

describe('contentHash', () => {
  test('hashes the encoding that SPEC-27 describes', () => {
    const encoding = '11:ARTIFACT.md-3:abc13:scripts/é.shx2:hi';
    expect(contentHash([file('scripts/é.sh', 'hi', true), file('ARTIFACT.md', 'abc')])).toBe(
      sha256(encoding),
    );
  });

  test('returns the hash of zero bytes for an empty package', () => {
    expect(contentHash([])).toBe(sha256(''));
  });

  test.each(CONFUSABLE)('returns different hashes for %s', (_, a, b) => {
    expect(contentHash(a)).not.toBe(contentHash(b));
  });

  test('ignores the order of the files and does not change it', () => {
    fc.assert(
      fc.property(files, (all) => {
        const reversed = all.toReversed();
        const before = reversed.map(({ path }) => path);
        expect(contentHash(reversed)).toBe(contentHash(all));
        expect(reversed.map(({ path }) => path)).toEqual(before);
      }),
    );
  });

  test('differs if and only if the packages differ', () => {
    const comparable = (all: readonly HashedFile[]): string =>
      all
        .map(({ path, bytes, executable }) =>
          JSON.stringify([path, Buffer.from(bytes).toString('hex'), executable]),
        )
        .sort((a, b) => (a < b ? -1 : 1))
        .join('\n');
    fc.assert(
      fc.property(files, files, (a, b) => {
        expect(contentHash(a) === contentHash(b)).toBe(comparable(a) === comparable(b));
      }),
    );
  });

  test('sorts paths by UTF-8 bytes', () => {
    expect(contentHash([file('😀', ''), file('～', '')])).toBe(sha256('3:～-0:4:😀-0:'));
  });
});

test('bytesHash returns a SHA-256 hash with the prefix sha256:', () => {
  expect(bytesHash('abc')).toBe(
    'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
  expect(bytesHash(new TextEncoder().encode('abc'))).toBe(bytesHash('abc'));
});
