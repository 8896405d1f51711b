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

/** Two packages that a hash without lengths, modes or order would take for one. */
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
  test('is the hash of the encoding SPEC-27 describes', () => {
    const encoding = '11:ARTIFACT.md-3:abc13:scripts/é.shx2:hi';
    expect(contentHash([file('scripts/é.sh', 'hi', true), file('ARTIFACT.md', 'abc')])).toBe(
      sha256(encoding),
    );
  });

  test('of nothing is the hash of no bytes', () => {
    expect(contentHash([])).toBe(sha256(''));
  });

  test.each(CONFUSABLE)('tells %s apart', (_, a, b) => {
    expect(contentHash(a)).not.toBe(contentHash(b));
  });

  test('does not depend on the order of the files, nor changes it', () => {
    fc.assert(
      fc.property(files, (all) => {
        const reversed = all.toReversed();
        const before = reversed.map(({ path }) => path);
        expect(contentHash(reversed)).toBe(contentHash(all));
        expect(reversed.map(({ path }) => path)).toEqual(before);
      }),
    );
  });

  test('differs whenever anything in the package does', () => {
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

  test('orders by bytes, so that every implementation frames alike', () => {
    expect(contentHash([file('😀', ''), file('～', '')])).toBe(sha256('3:～-0:4:😀-0:'));
  });
});

test('bytesHash spells SHA-256 with its name', () => {
  expect(bytesHash('abc')).toBe(
    'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
  expect(bytesHash(new TextEncoder().encode('abc'))).toBe(bytesHash('abc'));
});
