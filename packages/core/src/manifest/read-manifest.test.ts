import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_MANIFEST_BYTES, readManifest } from './read-manifest.ts';

const PLACE = { file: 'ops/check/ARTIFACT.md', artifact_id: 'ops/check', layer: 'team' };

function read(content: string | Uint8Array) {
  return readManifest(typeof content === 'string' ? Buffer.from(content) : content, PLACE);
}

function parts(content: string) {
  const reading = read(content);
  if (reading.kind === 'refused') throw new Error(reading.problems[0]?.message);
  const { frontmatter, values, body, body_line } = reading.manifest;
  return { frontmatter, values: { ...values }, body, body_line };
}

describe('readManifest parts', () => {
  test.each([
    ['frontmatter and body', '---\na: b\n---\nBody.\n', 'a: b\n', { a: 'b' }, 'Body.\n', 4],
    [
      'a first line as short as a fence',
      '---\nab:\nc: d\n---\n',
      'ab:\nc: d\n',
      { ab: null, c: 'd' },
      '',
      5,
    ],
    ['no body', '---\na: b\n---\n', 'a: b\n', { a: 'b' }, '', 4],
    ['no line end after the closing fence', '---\na: b\n---', 'a: b\n', { a: 'b' }, '', 4],
    ['no frontmatter between the fences', '---\n---\nBody.', '', {}, 'Body.', 3],
    [
      'windows line ends',
      '---\r\na: b\r\n---\r\nBody.\r\n',
      'a: b\r\n',
      { a: 'b' },
      'Body.\r\n',
      4,
    ],
    ['a byte order mark', '\uFEFF---\na: b\n---\nBody.', 'a: b\n', { a: 'b' }, 'Body.', 4],
    [
      'fences in the body',
      '---\na: b\n---\n---\nc: d\n---\n',
      'a: b\n',
      { a: 'b' },
      '---\nc: d\n---\n',
      4,
    ],
    [
      'lines that only look like a fence',
      '---\na: "\n ---\n ----"\n---\n',
      'a: "\n ---\n ----"\n',
      { a: ' --- ----' },
      '',
      6,
    ],
  ])('splits %s', (_, content, frontmatter, values, body, body_line) => {
    expect(parts(content)).toEqual({ frontmatter, values, body, body_line });
  });

  test('keeps the whole file as text, with the body at its end', () => {
    const bodies = fc.string({
      unit: fc.constantFrom('a', '\n', '-', '---\n', 'ä', '😀', '\r\n', ' '),
    });
    fc.assert(
      fc.property(
        bodies,
        fc.constantFrom('', '\uFEFF'),
        fc.constantFrom('\n', '\r\n'),
        (body, mark, end) => {
          const content = `${mark}---${end}a: 1${end}---${end}${body}`;
          const reading = read(content);
          expect(reading).toMatchObject({
            kind: 'ok',
            manifest: { ...PLACE_FILE, text: content, body, body_line: 4 },
          });
        },
      ),
    );
  });
  const PLACE_FILE = { file: PLACE.file };
});

describe('readManifest errors', () => {
  test.each<[string, string | Uint8Array, string, number, number, string | undefined]>([
    ['an empty file', '', 'lint.frontmatter_missing', 1, 1, undefined],
    ['no frontmatter', '# Title\n', 'lint.frontmatter_missing', 1, 1, '# Title'],
    [
      'a space after the opening fence',
      '--- \na: b\n---\n',
      'lint.frontmatter_missing',
      1,
      1,
      '--- ',
    ],
    [
      'a line before the opening fence',
      '\n---\na: b\n---\n',
      'lint.frontmatter_missing',
      1,
      1,
      undefined,
    ],
    ['no closing fence', '---\na: b\n', 'lint.frontmatter_missing', 1, 1, '---'],
    [
      'a space after the closing fence',
      '---\na: b\n--- \nBody.\n---\n',
      'lint.frontmatter_limit',
      3,
      1,
      '--- ',
    ],
    ['YAML that is wrong', '---\na: b\nc: d: e\n---\n', 'lint.invalid_yaml', 3, 5, 'c: d: e'],
    ['a key given twice', '---\r\na: b\r\n\r\na: c\r\n---\r\n', 'lint.invalid_yaml', 4, 1, 'a: c'],
    [
      'an override in the body',
      '---\na: b\n---\nOne\ntwo \u202E three\n',
      'lint.hidden_character',
      5,
      5,
      'two \\u{202e} three',
    ],
    [
      'an escape that spells one',
      '---\na: b\nc: ["\\u202E"]\n---\n',
      'lint.hidden_character',
      3,
      5,
      'c: ["\\u202E"]',
    ],
    ['a NUL', '---\na: b\0\n---\n', 'lint.hidden_character', 2, 5, 'a: b\\u{0}'],
    [
      'a byte that is not UTF-8',
      bytes('---\na: b\n---\nOne\nä', 0xff, '!\n'),
      'lint.invalid_encoding',
      5,
      2,
      'ä\uFFFD!',
    ],
    [
      'a character cut short',
      bytes('---\na: b\n---\n€', 0xe2, 0x82),
      'lint.invalid_encoding',
      4,
      2,
      '€\uFFFD',
    ],
    [
      'a file that is too large',
      new Uint8Array(MAX_MANIFEST_BYTES + 1),
      'lint.manifest_size',
      1,
      1,
      undefined,
    ],
  ])('reports code, file and position for %s', (_, content, code, line, column, excerpt) => {
    const reading = read(content);
    expect(reading.kind).toBe('refused');
    const problems = reading.kind === 'refused' ? reading.problems : [];
    const place = { ...PLACE, line, column, ...(excerpt === undefined ? {} : { excerpt }) };
    expect(problems).toEqual([
      {
        code,
        severity: 'error',
        message: expect.stringMatching(/\.$/),
        fix: expect.stringMatching(/\.$/),
        ...place,
      },
    ]);
  });

  test('shows a part of a long line around its column', () => {
    const reading = read(`---\na: b\n---\n${'x'.repeat(500)}\u202E${'y'.repeat(500)}\n`);
    const problem = reading.kind === 'refused' ? reading.problems[0] : undefined;
    expect(problem?.column).toBe(501);
    expect(problem?.excerpt).toMatch(/^…x{60}\\u\{202e\}y{59}…$/);
  });

  test('accepts a file of the maximum size', () => {
    const start = '---\na: b\n---\n';
    expect(read(start.padEnd(MAX_MANIFEST_BYTES, 'x')).kind).toBe('ok');
  });
});

function bytes(...parts: (string | number)[]): Uint8Array {
  return Buffer.concat(
    parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(part))),
  );
}
