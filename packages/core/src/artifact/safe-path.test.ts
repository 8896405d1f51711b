import * as fc from 'fast-check';
import { posix, win32 } from 'node:path';
import { describe, expect, test } from 'vitest';
import { foldPath, pathProblem } from './safe-path.ts';

describe('pathProblem', () => {
  test.each([
    'ops/deploy/check/SKILL.md',
    '.harness-a/skills/check/scripts/run.sh',
    'a',
    '...a/..b/c..d',
    'with space/inner .txt',
    'naïve/日本語/🙂.md',
    'console.md',
    'communication/common.md',
    'auxiliary',
    'nul-terminated.txt',
    'com10',
    'lpt',
    `${'d/'.repeat(511)}ab`,
    'x'.repeat(255),
    `${'é'.repeat(127)}x`,
  ])('accepts %j', (path) => {
    expect(pathProblem(path)).toBeUndefined();
  });

  test.each([
    ['', 'is empty'],
    ['/etc/passwd', 'is absolute'],
    ['a//b', 'contains an empty segment'],
    ['a/', 'contains an empty segment'],
    ['.', 'contains the segment .'],
    ['a/./b', 'contains the segment .'],
    ['..', 'contains the segment ..'],
    ['a/../../b', 'contains the segment ..'],
    ['a\\b', 'contains a backslash'],
    ['C:/x', 'contains :, which Windows does not allow in a name'],
    ['file.txt:stream', 'contains :, which Windows does not allow in a name'],
    ['what?', 'contains ?, which Windows does not allow in a name'],
    ['a\0b', 'contains the control character U+0000'],
    ['a\nb', 'contains the control character U+000A'],
    ['a\x7f', 'contains the control character U+007F'],
    ['a\u009bb', 'contains the control character U+009B'],
    ['a\u202eb', 'contains the invisible character U+202E'],
    ['\u200c.git', 'contains the invisible character U+200C'],
    ['a\u2066b', 'contains the invisible character U+2066'],
    ['a\u00adb', 'contains the invisible character U+00AD'],
    ['a\ufeffb', 'contains the invisible character U+FEFF'],
    ['a\u{e0041}b', 'contains an invisible character'],
    ['a\ud800b', 'contains half of a surrogate pair'],
    ['a\udc00b', 'contains half of a surrogate pair'],
    ['dots./x', 'contains dots., which ends with a dot'],
    ['....', 'contains ...., which ends with a dot'],
    ['space /x', 'contains "space ", which ends with a space'],
    ['CON', 'contains CON, a name that Windows reserves'],
    ['a/nul.md', 'contains nul.md, a name that Windows reserves'],
    ['a/Com1/b', 'contains Com1, a name that Windows reserves'],
    ['a/lpt9.tar.gz', 'contains lpt9.tar.gz, a name that Windows reserves'],
    ['aux .txt', 'contains aux .txt, a name that Windows reserves'],
    ['COM²', 'contains COM², a name that Windows reserves'],
    ['CONIN$', 'contains CONIN$, a name that Windows reserves'],
    ['prn', 'contains prn, a name that Windows reserves'],
    ['x'.repeat(256), 'contains a name longer than 255 bytes'],
    ['é'.repeat(128), 'contains a name longer than 255 bytes'],
    ['日'.repeat(86), 'contains a name longer than 255 bytes'],
    ['🙂'.repeat(64), 'contains a name longer than 255 bytes'],
    [`${'d/'.repeat(512)}a`, 'is longer than 1024 bytes'],
    ['a/'.repeat(2047) + 'ab', 'is longer than 1024 bytes'],
  ])('rejects %j: %s', (path, problem) => {
    expect(pathProblem(path)).toBe(problem);
  });

  test('accepts only paths that stay inside their root on POSIX and Windows', () => {
    const hostile = fc
      .array(
        fc.oneof(
          fc.constantFrom('..', '.', '', '\\', '/', 'C:', '~', ' ', 'con', '\0', '..\\', './', 'x'),
          fc.string({ unit: 'binary', maxLength: 6 }),
        ),
        { maxLength: 8 },
      )
      .map((parts) => parts.join('/'));
    fc.assert(
      fc.property(hostile, (path) => {
        if (pathProblem(path) !== undefined) return;
        expect(posix.join('/root', path)).toBe(`/root/${path}`);
        expect(win32.join('R:\\root', path)).toBe(`R:\\root\\${path.replaceAll('/', '\\')}`);
        expect(new TextEncoder().encode(path).length).toBeLessThanOrEqual(1024);
      }),
      { numRuns: 2000 },
    );
  });

  test('counts the length in UTF-8 bytes', () => {
    const segment = fc.string({ unit: fc.constantFrom('a', 'é', '日', '🙂'), maxLength: 300 });
    fc.assert(
      fc.property(segment, (name) => {
        fc.pre(name !== '');
        const tooLong = new TextEncoder().encode(name).length > 255;
        expect(pathProblem(name) !== undefined).toBe(tooLong);
      }),
    );
  });

  test('finds the same problems in the quick and the full check', () => {
    const piece = fc.constantFrom(
      ...'a A1_-./\\:~ \0\x7fé\u00a0\u200bſK'.split(''),
      ...'con|COM1|Aux.|nul.md|lpt²|prn |..|.git|conin$|a.|.a|//'.split('|'),
    );
    const folders = 'folder/'.repeat(40);
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), (pieces) => {
        const path = pieces.join('');
        expect(pathProblem(path) === undefined).toBe(pathProblem(folders + path) === undefined);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('foldPath', () => {
  test.each([
    ['Ops/Deploy', 'ops/deploy'],
    ['e\u0301', '\u00c9'],
    ['STRASSE', 'straße'],
    ['ẞ', 'ss'],
    ['\u212a', 'k'],
    ['ΣΑΣ', 'σας'],
  ])('folds %j and %j to the same path', (a, b) => {
    expect(foldPath(a)).toBe(foldPath(b));
  });

  test('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (path) => {
        expect(foldPath(foldPath(path))).toBe(foldPath(path));
      }),
    );
  });

  test('returns different results for different names', () => {
    expect(foldPath('a/b')).not.toBe(foldPath('a/c'));
  });
});
