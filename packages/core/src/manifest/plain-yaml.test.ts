import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostileManifest } from '@catalog/testkit/hostile-manifests';
import { readPlainYaml } from './plain-yaml.ts';
import { parseYaml } from './read-yaml.ts';

const TYPICAL = `type: skill
version: 1.10.0
name: check
description: Verify a release, before it ships (and after).
deprecated: false
tags: [deploy, ops/x, 3]
when_to_use:
  - When a release is due
  - "When: something broke"
sensitivity: low
license: 'MIT'
owners:
- ops
effort: 12
empty:
metadata:
  version: 1.2.0
  author: "Ann: Lee"
`;

const word = fc.constantFrom(
  'text',
  'two words',
  'é',
  '\u{1F600}',
  '1',
  '1.0',
  '1.2.3',
  '01',
  '0x1f',
  '1e3',
  '.5',
  '-1',
  '+1',
  'true',
  'True',
  'null',
  'Null',
  '~',
  'yes',
  '"q"',
  '"a\\n"',
  "'s'",
  "'it''s'",
  '"open',
  '[a, b]',
  '[a,b]',
  '[]',
  '[a, ]',
  '[ a ]',
  '[1, true, x]',
  '[null]',
  '[a: b]',
  '[[a]]',
  '{a: b}',
  '- x',
  '* x',
  '&a x',
  '*a',
  '!t x',
  '| ',
  '>',
  '%x',
  '@x',
  '`x`',
  'a: b',
  'a:',
  'a #c',
  '#c',
  'a#c',
  'x ',
  ' x',
  '\t',
  '2026-01-01',
  '1:30',
  'a\u2028b',
  'a\u0085b',
  '\ufeffa',
  '=',
  '<<',
  '?',
  '? a',
  ': x',
  ',',
  'a, b',
  ']',
  '}',
  '%',
  '---',
  '...',
  'x: ',
  '- ',
  '-',
);
const key = fc.constantFrom(
  'a',
  'b',
  'type',
  'x-y',
  '_',
  'null',
  'TRUE',
  'constructor',
  '__proto__',
  '"q"',
  '1',
  '<<',
  'a b',
  '',
  '-',
);
const line = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(key, word).map(([name, value]) => `${name}: ${value}`) },
  key.map((name) => `${name}:`),
  fc
    .tuple(fc.constantFrom('', ' ', '  ', '    '), word)
    .map(([indent, value]) => `${indent}- ${value}`),
  fc.tuple(fc.constantFrom('', '  '), word).map(([indent, value]) => indent + value),
  fc
    .tuple(fc.constantFrom(' ', '  ', '    '), key, word)
    .map(([indent, name, value]) => `${indent}${name}: ${value}`),
  fc.constantFrom('', ' ', '# comment', '---', '...'),
);

function agrees(source: string): boolean {
  const plain = readPlainYaml(source);
  if (plain === undefined) return false;
  expect({ kind: 'ok', values: plain }).toEqual(parseYaml(source));
  expect(Object.keys(plain)).toEqual(Object.keys(JSON.parse(JSON.stringify(plain))));
  return true;
}

describe('readPlainYaml', () => {
  test('reads typical frontmatter', () => {
    expect(agrees(TYPICAL)).toBe(true);
    expect(readPlainYaml(TYPICAL)).toMatchObject({
      version: '1.10.0',
      tags: ['deploy', 'ops/x', 3],
      empty: null,
      metadata: { version: '1.2.0', author: 'Ann: Lee' },
    });
  });

  test('returns the same values as the parser, or undefined', () => {
    let read = 0;
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.constantFrom('', '\n'), (lines, end) => {
        if (agrees(lines.join('\n') + end)) read += 1;
      }),
      { numRuns: 3000 },
    );
    expect(read).toBeGreaterThan(100);
  });

  test('returns the same values as the parser for hostile manifests', () => {
    let seed = 1;
    const random = (): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    for (let count = 0; count < 2000; count += 1) {
      const text = new TextDecoder().decode(hostileManifest(random).bytes);
      const [, frontmatter = ''] = text.split(/^---\r?\n/m);
      agrees(frontmatter);
    }
  });

  test('returns objects without a prototype', () => {
    expect(Object.getPrototypeOf(readPlainYaml('a: b\n'))).toBe(null);
  });
});
