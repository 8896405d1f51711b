import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { confirmLinks } from './confirm-links.ts';
import { readLinks, type Link } from './exact-links.ts';
import { outlineProse } from './outline-prose.ts';
import { possibleLinks } from './possible-links.ts';

const PIECES = [
  '[a](b)',
  '[a](b "t")',
  '![a](<b c>)',
  '[a](',
  '](b',
  ']',
  '[',
  '(',
  ')',
  '(b)',
  ' ',
  '  ',
  '    ',
  '[a](https://b.c/?d&e)',
  '[a](#b)',
  '[a](b\\)c)',
  '[a](b&amp;c)',
  '[a](\nb)',
  '[a](b(c)d)',
  '[a][b]',
  '<file:///b>',
  '<https://b>',
  '<b@c.d>',
  '<div>',
  '</div>',
  '<!--',
  '-->',
  '<!-- b -->',
  '<pre>',
  '</pre>',
  '<a href="b">',
  '<',
  '>',
  '`',
  '``',
  '```',
  '```js',
  '~~~',
  '~~~~',
  '\n',
  '\n',
  '\n\n',
  '\n\n',
  '\r\n',
  '- ',
  '* ',
  '1. ',
  '2) ',
  '> ',
  '# ',
  '===',
  '---',
  '***',
  '\t',
  'word',
  '\\',
  '&',
  '!',
  '"',
  '_b_',
  '**',
  ':',
];
const PROSE = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 40 })
  .map((pieces) => pieces.join(''));
const WITH_DEFINITIONS = fc
  .array(fc.constantFrom(...PIECES, '[a]: b', '\n[b]: <c d>', '\n\n[a]:\nb'), { maxLength: 40 })
  .map((pieces) => pieces.join(''));

function needsTarget({ destination }: Link): boolean {
  return !/^(?:https?:\/\/|mailto:|#)/.test(destination);
}

function spell({ offset, destination }: Link): string {
  return `${offset} ${destination}`;
}

describe('possibleLinks', () => {
  test('finds every link that the Markdown parser finds', () => {
    fc.assert(
      fc.property(WITH_DEFINITIONS, (prose) => {
        const possible = possibleLinks(prose);
        for (const link of readLinks(prose).filter(needsTarget)) {
          const seen = possible.some(
            ({ offset, destination, certain }) =>
              offset >= link.offset && (!certain || destination === link.destination),
          );
          expect(seen, `${JSON.stringify(prose)}: ${link.destination}`).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    ['[a](b c)', 'b', true],
    ['[a]( <b c> )', 'b c', true],
    ['[a](b(c)d)e)', 'b(c)d', true],
    ['[a]:   b "t"', 'b', true],
    ['[a](b\\(c)', 'b\\(c', false],
    ['[a](b&amp;c)', 'b&amp;c', false],
    ['[a](\nb)', '', false],
    ['<FILE:///b>', 'FILE:///b', true],
    ['[a](b[c]d)', 'b[c', false],
    ['[a](<b[c]d>)', 'b[c]d', true],
  ])('finds the destination in %j', (prose, destination, certain) => {
    expect(possibleLinks(prose)).toEqual([expect.objectContaining({ destination, certain })]);
  });

  test.each(['[a](https://b\\c)', '[a](http://b)', '[a](mailto:b)', '[a](#b)', '[a] (b)', 'a: b'])(
    'finds nothing in %j',
    (prose) => {
      expect(possibleLinks(prose)).toEqual([]);
    },
  );
});

describe('confirmLinks', () => {
  const confirm = (prose: string): string[] =>
    [...confirmLinks(prose, possibleLinks(prose))].filter(needsTarget).map(spell);

  test('returns the same links as the parser for the whole body', () => {
    fc.assert(
      fc.property(PROSE, (prose) => {
        expect(confirm(prose), JSON.stringify(prose)).toEqual(
          readLinks(prose).filter(needsTarget).map(spell),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  test('misses no link of a body with definitions', () => {
    fc.assert(
      fc.property(WITH_DEFINITIONS, (prose) => {
        expect(confirm(prose), JSON.stringify(prose)).toEqual(
          expect.arrayContaining(readLinks(prose).filter(needsTarget).map(spell)),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  test('accepts all possible links of a block that exceeds the budget', () => {
    const block = `\`[a](b)\` ${'word '.repeat(900)}`;
    expect(confirm(block)).toEqual(['3 b']);
    expect(confirm(`\`[a](b)\`\n\n${'word '.repeat(900)}`)).toEqual([]);
  });

  test('applies the budget to the whole body', () => {
    const block = `\`[a](b)\` ${'word '.repeat(400)}\n\n`;
    expect(confirm(block.repeat(3))).toEqual([`${block.length * 2 + 3} b`]);
  });

  test('accepts all possible links of content that is nested too deep', () => {
    expect(confirm(`${'> '.repeat(8)}\`[a](b)\``)).toEqual([]);
    expect(confirm(`${'> '.repeat(9)}\`[a](b)\``)).toEqual(['21 b']);
  });
});

describe('outlineProse', () => {
  test.each<[prose: string, blocks: string[], code: string[]]>([
    ['one\n\ntwo\nthree\n\n  four\n\nfive', ['one\n\n', 'two\nthree\n\n  four\n\n', 'five'], []],
    ['a\n\n```\nb\n\nc\n```\n\nd', ['a\n\n', '```\nb\n\nc\n```\n\n', 'd'], ['```\nb\n\nc\n```\n']],
    ['a\n~~~~\n~~~\n\nb\n~~~~~\nc', ['a\n~~~~\n~~~\n\nb\n~~~~~\nc'], ['~~~~\n~~~\n\nb\n~~~~~\n']],
    ['- a\n  ```\n  b\n\n  ```\n\nc', ['- a\n  ```\n  b\n\n  ```\n\n', 'c'], []],
    ['a\n# b\n- c\n-\n* d\n*e', ['a\n', '# b\n', '- c\n-\n', '* d\n*e'], []],
    ['    a\n\nb\n\nc', ['    a\n\nb\n\n', 'c'], []],
    ['<div>\n- a\n\n- b', ['<div>\n- a\n\n', '- b'], []],
    ['a\n\n```\nb\n\nc', ['a\n\n', '```\nb\n\nc'], ['```\nb\n\nc']],
    ['a\n\n<!-- b -->\n\nc', ['a\n\n', '<!-- b -->\n\n', 'c'], []],
    ['a\n\n```js `b`\n\nc', ['a\n\n', '```js `b`\n\n', 'c'], []],
  ])('splits %j', (prose, blocks, code) => {
    const outline = outlineProse(prose);
    const ends = [...outline.blocks.slice(1), prose.length];
    expect(outline.blocks.map((start, index) => prose.slice(start, ends[index]))).toEqual(blocks);
    expect(outline.code.map(({ start, end }) => prose.slice(start, end))).toEqual(code);
  });

  test.each([
    'a\n\n- ```\n\nb',
    'a\n\n> ~~~\n\nb',
    'a\n\n<div>\n```\n\nb',
    'a\n\n<!-- b\n\nc -->',
    'a\n\n<pre>\n\nb',
    'a\n\n ```\nb\n\nc',
    'a\n\n  ```\n  b\n\n',
    'a\n\n```\n\n  ```\n\nb',
  ])('returns a single block for %j', (prose) => {
    expect(outlineProse(prose)).toEqual({ blocks: [0], code: [] });
  });
});
