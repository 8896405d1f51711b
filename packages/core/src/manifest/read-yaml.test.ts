import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Document, isCollection, isScalar, parseDocument, visit } from 'yaml';
import { hostileManifest } from '@catalog/testkit/hostile-manifests';
import { isJsonObject, type Json } from '../json.ts';
import { MAX_DEPTH, MAX_REFERENCES } from './pre-scan.ts';
import { readManifest } from './read-manifest.ts';
import { readYaml } from './read-yaml.ts';

function values(source: string): unknown {
  const reading = readYaml(source);
  if (reading.kind === 'refused') throw new Error(`refused: ${reading.refusal.message}`);
  return plain(reading.values);
}

function refusal(source: string) {
  const reading = readYaml(source);
  if (reading.kind === 'ok') throw new Error(`read: ${JSON.stringify(reading.values)}`);
  const { code, message, offset } = reading.refusal;
  return { code, message, at: source.slice(offset).slice(0, 8) };
}

/** Restores prototypes, so that vitest can compare the values. */
function plain(value: Json): Json {
  if (Array.isArray(value)) return value.map(plain);
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]))
    : value;
}

function valuesByDocument(source: string): unknown {
  const document = parseDocument(source, { schema: 'core', merge: true, uniqueKeys: true });
  expect(document.errors).toEqual([]);
  visit(document, {
    Scalar(_, scalar) {
      const isLossy = typeof scalar.value === 'number' && String(scalar.value) !== scalar.source;
      if (isLossy && scalar.source !== undefined) scalar.value = scalar.source;
    },
  });
  return document.toJS({ maxAliasCount: -1 }) ?? {};
}

describe('readYaml values', () => {
  test.each([
    ['nothing', '', {}],
    ['comments only', '# one\n\n# two\n', {}],
    ['texts', 'a: b\nc: "d"\ne: \'f\'\n', { a: 'b', c: 'd', e: 'f' }],
    [
      'numbers that keep their text',
      'a: 12\nb: -3\nc: 1.5\nd: 0\n',
      { a: 12, b: -3, c: 1.5, d: 0 },
    ],
    ['a version that looks like a number', 'version: 1.10\n', { version: '1.10' }],
    [
      'other numbers that would lose their text',
      'a: [010, 0x1F, 0o17, 1e3, 1.0, -0, +1, .5, 5., 1_000]\n',
      { a: ['010', '0x1F', '0o17', '1e3', '1.0', '-0', '+1', '.5', '5.', '1_000'] },
    ],
    ['more digits than a number holds', 'a: 12345678901234567890\n', { a: '12345678901234567890' }],
    ['what JSON has no number for', 'a: [.inf, -.Inf, .nan]\n', { a: ['.inf', '-.Inf', '.nan'] }],
    [
      'dates and times',
      'a: 2024-01-01\nb: 2024-01-01T10:00:00Z\nc: 12:30\n',
      { a: '2024-01-01', b: '2024-01-01T10:00:00Z', c: '12:30' },
    ],
    ['the words of YAML 1.1', 'a: [yes, No, on, OFF, y]\n', { a: ['yes', 'No', 'on', 'OFF', 'y'] }],
    [
      'truth and nothing',
      'a: [true, False, null, ~, ]\nb:\n',
      { a: [true, false, null, null], b: null },
    ],
    ['an alias', 'a: &x [1, {b: c}]\nd: *x\n', { a: [1, { b: 'c' }], d: [1, { b: 'c' }] }],
    [
      'a merge key',
      'a: &x {b: 1, c: 2}\nd:\n  c: 3\n  <<: *x\n',
      { a: { b: 1, c: 2 }, d: { b: 1, c: 3 } },
    ],
    [
      'several merged at once, the first winning',
      'a: {<<: [{b: 1}, {b: 2, c: 3}]}\n',
      { a: { b: 1, c: 3 } },
    ],
    ['windows line ends', 'a: |\r\n  b\r\n  c\r\nd: e\r\n', { a: 'b\nc\n', d: 'e' }],
  ])('reads %s', (_, source, expected) => {
    expect(values(source)).toEqual(expected);
    expect(valuesByDocument(source)).toEqual(expected);
  });

  test('keeps the order of keys in the source, with merged keys in their place', () => {
    const reading = readYaml('z: 1\na: &x {q: 1, b: 2}\nm:\n  y: 1\n  <<: *x\n  c: 3\n');
    expect(reading.kind === 'ok' && Object.keys(reading.values)).toEqual(['z', 'a', 'm']);
    const merged = reading.kind === 'ok' ? reading.values['m'] : undefined;
    expect(isJsonObject(merged) && Object.keys(merged)).toEqual(['y', 'q', 'b', 'c']);
  });

  test('returns mappings without a prototype', () => {
    const reading = readYaml('a: {b: &x {c: d}}\ne: [*x]\n');
    const found: unknown[] = [];
    const walk = (value: Json): void => {
      if (typeof value !== 'object' || value === null) return;
      if (!Array.isArray(value)) found.push(Object.getPrototypeOf(value));
      Object.values(value).forEach(walk);
    };
    if (reading.kind === 'ok') walk(reading.values);
    expect(found).toEqual([null, null, null, null]);
  });

  test('copies aliased values', () => {
    const reading = readYaml('a: &x [1]\nb: *x\n');
    expect(reading.kind === 'ok' && reading.values['a'] !== reading.values['b']).toBe(true);
  });
});

describe('readYaml errors', () => {
  test.each([
    ['a text', 'a\n', 'lint.invalid_yaml', 'not a mapping', 'a\n'],
    ['a list', '- a\n', 'lint.invalid_yaml', 'not a mapping', '- a\n'],
    ['a key given twice', 'a: 1\nb: 2\n"a": 3\n', 'lint.invalid_yaml', 'given twice', 'a": 3\n'],
    [
      'a key given twice further in',
      'a: {b: 1, b: 2}\n',
      'lint.invalid_yaml',
      'given twice',
      'b: 2}\n',
    ],
    ['a number as a key', 'a: b\n1: c\n', 'lint.invalid_yaml', 'a number, a boolean', '1: c\n'],
    ['a list as a key', '[a]: b\n', 'lint.invalid_yaml', 'a number, a boolean', '[a]: b\n'],
    ['nothing as a key', ': b\n', 'lint.invalid_yaml', 'a number, a boolean', ': b\n'],
    ['__proto__', 'a: {__proto__: {b: c}}\n', 'lint.invalid_yaml', '`__proto__`', '__proto_'],
    [
      'an escaped __proto__',
      '"\\x5f_proto__": b\n',
      'lint.invalid_yaml',
      '`__proto__`',
      '\\x5f_pro',
    ],
    ['constructor', 'constructor: b\n', 'lint.invalid_yaml', '`__proto__`', 'construc'],
    ['prototype', 'prototype: b\n', 'lint.invalid_yaml', '`__proto__`', 'prototyp'],
    ['an unknown alias', 'a: **/*.ts\n', 'lint.invalid_yaml', 'starts with `*`', '*/*.ts\n'],
    ['a colon in a plain text', 'a: b: c\n', 'lint.invalid_yaml', 'nor starts a new key', ': c\n'],
    ['an open quote', 'a: "b\nc: d\n', 'lint.invalid_yaml', 'not closed', '"b\nc: d\n'],
    ['an open quote at the end', 'a: b\nc: "d\n', 'lint.invalid_yaml', 'not closed', '"d\n'],
    [
      'an open quote, with others',
      'a: "x"\nb: [y]\nc:\n  d: \'it\n   goes on\ne: it\'s "z"\n',
      'lint.invalid_yaml',
      'not closed',
      "'it\n   g",
    ],
    ['an open bracket', 'a: [b\nc: d\n', 'lint.invalid_yaml', 'not closed', '[b\nc: d\n'],
    ['an open brace', "a: {b: it's\nc: d\n", 'lint.invalid_yaml', 'not closed', "{b: it's"],
    ['an unknown escape', 'a: "\\d"\n', 'lint.invalid_yaml', 'Unknown escape sequence', 'd"\n'],
    ['anything else', 'a: @b\n', 'lint.invalid_yaml', 'nor starts a new key', '@b\n'],
    ['a ring', 'a: &x [*x]\n', 'lint.invalid_yaml', 'contains itself', 'x]\n'],
    [
      'a ring through a merge',
      'a: &x\n  b: {<<: *x}\n',
      'lint.invalid_yaml',
      'contains itself',
      'x}\n',
    ],
    [
      'a hidden character in an escape',
      'a:\n  - b\n  - "c\\u202Ed"\n',
      'lint.hidden_character',
      'U+202E',
      '"c\\u202E',
    ],
    [
      'a hidden character in a key',
      'a: {"b\\0": c}\n',
      'lint.hidden_character',
      'U+0000',
      '"b\\0": c',
    ],
    ['half a character', 'a: "\\ud800"\n', 'lint.hidden_character', 'surrogate', 'a: "\\ud8'],
  ])('rejects %s', (_, source, code, message, at) => {
    expect(refusal(source)).toEqual({ code, message: expect.stringContaining(message), at });
  });

  test('rejects depth through aliases', () => {
    const rungs = Array.from(
      { length: MAX_REFERENCES },
      (_, index) => `r${index}: &r${index} [[*r${index - 1}]]\n`,
    );
    const source = rungs.join('').replace('*r-1', 'x');
    expect(source.match(/\*/g)).toHaveLength(MAX_REFERENCES - 1);
    expect(refusal(source)).toMatchObject({ code: 'lint.frontmatter_limit' });
  });

  test('rejects aliases that produce too many values or characters', () => {
    const row = (index: number) =>
      `a${index}: &a${index} [${Array(5)
        .fill(`*a${index - 1}`)
        .join(', ')}]\n`;
    const bomb = (leaf: string) => `a0: &a0 [${leaf}]\n${row(1)}${row(2)}${row(3)}`;
    expect(readYaml(bomb('x')).kind).toBe('ok');
    expect(refusal(bomb('x, '.repeat(100)))).toMatchObject({ code: 'lint.frontmatter_limit' });
    expect(refusal(bomb('x'.repeat(20_000)))).toMatchObject({ code: 'lint.frontmatter_limit' });
  });

  test('rejects nesting that indentation hides from the scan', () => {
    const levels = (count: number) =>
      Array.from(
        { length: count },
        (_, level) => `${' '.repeat(level)}a:\n${' '.repeat(level)}-\n`,
      ).join('');
    expect(readYaml(levels(MAX_DEPTH / 2)).kind).toBe('ok');
    expect(refusal(levels(MAX_DEPTH / 2 + 1))).toMatchObject({
      message: expect.stringContaining('nested'),
    });
  });
});

describe('readYaml and the yaml library return the same values', () => {
  const word = fc.constantFrom(
    '',
    'a',
    'b c',
    '1',
    '1.10',
    '010',
    'true',
    'Null',
    '~',
    'yes',
    '2024-01-01',
    '*x',
    '&y',
    '- z',
    '? q',
    'k: v',
    '# c',
    ' s ',
    "it's",
    '"q"',
    'l\nm\n',
    '\n',
    'ä€😀',
    '{',
    '[,]',
    '|',
    '>',
    '%',
    '@',
    '`',
    '\\',
    '---',
    '<<',
    '=',
  );
  const scalar = fc.oneof(
    word,
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  );
  const key = fc
    .oneof(fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/), word)
    .filter((name) => name !== '<<' && !name.includes('\n'));
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).value;
  const frontmatter = fc.dictionary(key, value, { maxKeys: 6, noNullPrototype: true });

  test('for generated source in every style', () => {
    const styles = fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(
        frontmatter,
        styles,
        fc.constantFrom(0, 30),
        fc.boolean(),
        (data, choice, lineWidth, windows) => {
          const document = new Document(data, { aliasDuplicateObjects: false });
          restyle(document, choice);
          const text = document.toString({ lineWidth });
          const source = windows ? text.replaceAll('\n', '\r\n') : text;
          expect(values(source)).toEqual(valuesByDocument(source));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('for anchors, aliases and merge keys', () => {
    const json = frontmatter.map((data) => JSON.stringify(data));
    const source = fc
      .tuple(json, json, json)
      .chain(([base, more, own]) =>
        fc.constantFrom(
          `base: &b ${base}\nlist: [*b, {again: *b}]\n`,
          `base: &b ${base}\nchild:\n  <<: *b\n  own: ${own}\n`,
          `base: &b ${base}\nchild:\n  b: first\n  <<: *b\n  own: &o ${own}\nagain: *o\n`,
          `base: &b ${base}\nmore: &m ${more}\nchild: {own: ${own}, <<: [*b, *m], last: *m}\n`,
        ),
      );
    fc.assert(
      fc.property(source, (text) => {
        expect(values(text)).toEqual(valuesByDocument(text));
      }),
      { numRuns: 300 },
    );
  });

  test('for hostile manifests that are accepted', () => {
    let state = 7;
    const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    let compared = 0;
    for (let index = 0; index < 2_000; index += 1) {
      const { name, bytes } = hostileManifest(random);
      const reading = readManifest(bytes, { file: 'a', artifact_id: 'a', layer: 'l' });
      if (reading.kind === 'refused') continue;
      const { values, frontmatter } = reading.manifest;
      expect(plain(values), name).toEqual(valuesByDocument(frontmatter));
      compared += 1;
    }
    expect(compared).toBeGreaterThan(100);
  });

  function restyle(document: Document, choice: readonly number[]): void {
    const scalarStyles = [
      'PLAIN',
      'QUOTE_DOUBLE',
      'QUOTE_SINGLE',
      'BLOCK_LITERAL',
      'BLOCK_FOLDED',
    ] as const;
    let turn = 0;
    visit(document, (role, node) => {
      const style = choice[(turn += 1) % choice.length] ?? 0;
      // A block scalar as a key would need the `?` indicator, which the parser rejects.
      if (isScalar(node)) node.type = scalarStyles[role === 'key' ? style % 3 : style] ?? 'PLAIN';
      else if (isCollection(node)) node.flow = style === 5;
    });
  }
});
