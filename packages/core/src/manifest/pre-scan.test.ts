import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import {
  MAX_DEPTH,
  MAX_ENTRIES,
  MAX_FRONTMATTER_BYTES,
  MAX_KEY_LENGTH,
  MAX_LINES,
  MAX_REFERENCES,
  preScan,
} from './pre-scan.ts';

function seen(source: string) {
  const scanned = preScan(source);
  return scanned.kind === 'clear' ? scanned.seen : scanned.refusal.message;
}

function refusal(source: string) {
  const scanned = preScan(source);
  return scanned.kind === 'refused'
    ? { message: scanned.refusal.message, at: source.slice(scanned.refusal.offset).slice(0, 6) }
    : undefined;
}

function staircase(levels: number, step: string): string {
  return Array.from({ length: levels }, (_, level) => `${' '.repeat(level)}${step}\n`).join('');
}

describe('preScan counts', () => {
  test.each([
    ['nothing', 'a: b\nc: [d, e]\n', {}],
    ['an anchor and its alias', 'a: &x 1\nb: *x\n', { anchors: 1, aliases: 1 }],
    [
      'merge keys, spaced or not',
      'a: &x {b: c}\nd:\n  <<: *x\ne: {<< : *x}\n',
      { anchors: 1, aliases: 2, merge_keys: 2 },
    ],
    ['an anchor before a key', '&x a: b\n', { anchors: 1 }],
    ['anchors within a flow collection', 'a: [&x b, *x]\n', { anchors: 1, aliases: 1 }],
    ['no alias in a plain text', 'a: one * two & three ! four ? five\n', {}],
    [
      'no alias on a line a plain text goes on over',
      'a: one\n  *two\n  &three\n  ? four\n\n  - five\nb: *x\n',
      { aliases: 1 },
    ],
    ['no alias in quotes', 'a: "*x \\" &y"\nb: \'*x \'\' &y\'\n"c": *x\n', { aliases: 1 }],
    ['no alias in quotes over several lines', 'a: "x\n  *y\n  ? z"\nb: *x\n', { aliases: 1 }],
    ['no alias in a literal text', 'a: |\n  *x\n  ? y\n\n  - z\nb: *x\n', { aliases: 1 }],
    [
      'no alias in a folded text of an entry',
      '- k: >-\n    *x\n    ? y\n  b: *x\n',
      { aliases: 1 },
    ],
    ['no alias in a literal text of an item', 'a:\n  - |\n   *x\n  - *x\n', { aliases: 1 }],
    [
      'no alias in a literal text under an anchored key',
      '&a k: |\n  *x\nb: *x\n',
      { anchors: 1, aliases: 1 },
    ],
    ['no alias in a comment', '# *x ? &y\na: b # *x\nb: *x\n', { aliases: 1 }],
    ['no alias in a comment without a space', 'a: b #c: *x\nb: *x\n', { aliases: 1 }],
    ['a sign that is part of a word', 'a: -x\nb: ?x\nc: :x\nd: [-x, ?x, :x]\n', {}],
    ['windows line ends', 'a: |\r\n  *x\r\nb: *x\r\n', { aliases: 1 }],
  ])('counts references in %s', (_, source, expected) => {
    expect(seen(source)).toEqual({ anchors: 0, aliases: 0, merge_keys: 0, ...expected });
  });
});

describe('preScan rejections', () => {
  test.each([
    ['a question key', '? a\n: b\n', 'starts with `?`', '? a\n: '],
    ['a question key in an item', 'a:\n  - ? b\n', 'starts with `?`', '? b\n'],
    ['a question key in flow style', 'a: {? b : c}\n', 'starts with `?`', '? b : '],
    ['a question mark before a bracket in flow style', 'a: [?[b]]\n', 'starts with `?`', '?[b]]\n'],
    ['a tag', 'a: !!str b\n', 'is a YAML tag', '!!str '],
    ['a document marker', 'a: b\n--- \nc: d\n', 'document marker', '--- \nc'],
    ['a document end', 'a: b\n...\n', 'document marker', '...\n'],
    ['a directive', '%YAML 1.1\na: b\n', 'document marker', '%YAML '],
    ['a long key', `${'k'.repeat(MAX_KEY_LENGTH + 1)}: v\n`, 'longer than 256', 'kkkkkk'],
    ['a long quoted key', `"${'k'.repeat(MAX_KEY_LENGTH)}": v\n`, 'longer than 256', '"kkkkk'],
    [
      'a long key in flow style',
      `a: {"${'k'.repeat(MAX_KEY_LENGTH)}":v}\n`,
      'longer than 256',
      '"kkkkk',
    ],
    ['many anchors', 'a: &x b\n'.repeat(MAX_REFERENCES + 1), 'more than 16 anchors', '&x b\n'],
    [
      'many aliases',
      `a: [${'*x, '.repeat(MAX_REFERENCES + 1)}]\n`,
      'more than 16 anchors',
      '*x, ]\n',
    ],
    [
      'many merge keys',
      'a: {<<: {}}\n'.repeat(MAX_REFERENCES + 1),
      'more than 16 anchors',
      '<<: {}',
    ],
    ['deep brackets', `a: ${'['.repeat(MAX_DEPTH)}`, 'more than 32 levels deep', '['],
    ['deep braces', `a: ${'{b: '.repeat(MAX_DEPTH)}`, 'more than 32 levels deep', '{b: '],
    ['deep dashes', '- '.repeat(MAX_DEPTH + 1), 'more than 32 levels deep', '- '],
    ['deep keys', staircase(MAX_DEPTH + 1, 'a:'), 'more than 32 levels deep', 'a:\n'],
    ['deep items', staircase(MAX_DEPTH + 1, '-'), 'more than 32 levels deep', '-\n'],
    [
      'brackets under deep keys',
      `${staircase(20, 'a:')}${' '.repeat(20)}b: ${'['.repeat(12)}`,
      'more than 32 levels deep',
      '[',
    ],
    ['many keys', 'a: b\n'.repeat(MAX_LINES), undefined, undefined],
    ['many items', `a: [${'b,'.repeat(MAX_ENTRIES)}]`, 'more than 2000 keys', ',]'],
    ['many lines', `a: b\n${'\n'.repeat(MAX_LINES)}`, 'more than 2000 lines', '\n'],
    ['many lines of text', `a: |\n${'  b\n'.repeat(MAX_LINES)}`, 'more than 2000 lines', '  b\n'],
    ['many bytes', `a: ${'x'.repeat(MAX_FRONTMATTER_BYTES)}`, 'longer than 65536 bytes', 'a: xxx'],
    [
      'many bytes in fewer characters',
      `a: ${'€'.repeat(22_000)}`,
      'longer than 65536 bytes',
      'a: €€€',
    ],
  ])('returns the expected refusal for %s', (_, source, message, at) => {
    expect(refusal(source)).toEqual(
      message === undefined ? undefined : { message: expect.stringContaining(message), at },
    );
  });

  test('accepts everything exactly at its limit', () => {
    expect(refusal(`a: ${'['.repeat(MAX_DEPTH - 1)}${']'.repeat(MAX_DEPTH - 1)}`)).toBeUndefined();
    expect(refusal(staircase(MAX_DEPTH, 'a:'))).toBeUndefined();
    expect(refusal(`${'k'.repeat(MAX_KEY_LENGTH)}: v\n`)).toBeUndefined();
    expect(refusal('a: &x b\n'.repeat(MAX_REFERENCES))).toBeUndefined();
    expect(refusal(`a: ${'x'.repeat(MAX_FRONTMATTER_BYTES - 3)}`)).toBeUndefined();
    expect(refusal(`a: b\n${'\n'.repeat(MAX_LINES - 1)}`)).toBeUndefined();
    expect(refusal(`a: [${'b,'.repeat(MAX_ENTRIES - 1)}]`)).toBeUndefined();
  });

  test('reduces the depth at the end of a collection', () => {
    expect(refusal(`${staircase(20, 'a:')}b: c\n${staircase(20, 'd:')}`)).toBeUndefined();
    expect(refusal('a: [[[[]]]]\n'.repeat(40))).toBeUndefined();
    expect(refusal('a:\n  - - - b\n'.repeat(40))).toBeUndefined();
  });
});

describe('preScan for random input', () => {
  const signs = fc.string({
    unit: fc.constantFrom(...'[]{}?:-,&*|>"\'# \n\r\tab'.split('')),
    maxLength: 400,
  });

  test('terminates and reports an offset within the source', () => {
    fc.assert(
      fc.property(fc.oneof(signs, fc.string({ unit: 'binary', maxLength: 400 })), (source) => {
        const scanned = preScan(source);
        if (scanned.kind === 'refused') {
          expect(scanned.refusal.offset).toBeGreaterThanOrEqual(0);
          expect(scanned.refusal.offset).toBeLessThanOrEqual(source.length);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('accepts the output of a YAML writer for any values', () => {
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        signs,
        fc.string({ unit: 'grapheme' }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.stringMatching(/^[a-z_-]{1,12}$/), tie('value'), {
          maxKeys: 4,
          noNullPrototype: true,
        }),
      ),
    })).value;
    const width = fc.constantFrom(0, 20, 80);
    const style = fc.constantFrom('BLOCK_LITERAL', 'BLOCK_FOLDED', 'QUOTE_DOUBLE', 'PLAIN');
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,12}$/), value),
        width,
        style,
        (values, lineWidth, defaultStringType) => {
          const source = stringify(values, {
            lineWidth,
            defaultStringType,
            defaultKeyType: 'PLAIN',
            aliasDuplicateObjects: false,
          });
          expect(refusal(source)).toBeUndefined();
        },
      ),
      { numRuns: 300 },
    );
  });
});

test('preScan applies the given limits instead of its defaults', () => {
  const limits = { bytes: 100_000, lines: 3_000, entries: 3_000, references: 20 };
  const large = 'a: b\n'.repeat(MAX_LINES + 1);
  expect(preScan(large, limits).kind).toBe('clear');
  const scanned = preScan('a: b\n'.repeat(3_001), limits);
  expect(scanned).toMatchObject({ refusal: { message: 'The YAML has more than 3000 lines.' } });
});
