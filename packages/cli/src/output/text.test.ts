import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { wantsColor } from './color.ts';
import { openProgress } from './progress.ts';
import { alignColumns, count, renderLine, styled, widthOf, wrap } from './text.ts';

test('escapes control characters except tabs in a line of a document', () => {
  expect(renderLine([{ document: '\tgo\u001B[2J\n' }], false)).toBe('\tgo\\u{1b}[2J\\n');
});

test('escapes line breaks and control characters in any string', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, color) => {
      const rendered = renderLine(['x', text, styled('red', text)], color);
      const own = color
        ? rendered.replaceAll('\u001B[31m', '').replaceAll('\u001B[0m', '')
        : rendered;
      expect(own).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u);
    }),
  );
});

test('renderLine adds color only if requested', () => {
  expect(renderLine([styled('red', 'no'), ' way'], false)).toBe('no way');
  expect(renderLine([styled('red', 'no'), ' way'], true)).toBe('\u001B[31mno\u001B[0m way');
});

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ TERM: 'dumb' }, true, false],
])('returns for color with %j on a terminal (%s): %s', (env, isTTY, expected) => {
  expect(wantsColor(env, { isTTY })).toBe(expected);
});

test('aligns columns by the visible width of the widest cell', () => {
  const lines = alignColumns(
    [
      ['a', 'bb', 'c'],
      [[styled('red', 'aaa')], 'b', 'cc'],
    ],
    '  ',
  );
  expect(lines.map((line) => renderLine(line, false))).toEqual(['  a    bb  c', '  aaa  b   cc']);
});

test('wraps prose at the width without losing words', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 }), (words) => {
      const lines = wrap(words.join(' '), 20, '  ');
      expect(lines.join(' ').split(/ +/).filter(Boolean)).toEqual(words);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(20);
    }),
  );
});

test('formats counts with a matching singular or plural', () => {
  expect([count(0, 'file'), count(1, 'file'), count(2, 'entry', 'entries')]).toEqual([
    '0 files',
    '1 file',
    '2 entries',
  ]);
});

test('measures the width in visible characters', () => {
  expect(widthOf([styled('bold', 'né'), '😀'])).toBe(3);
});

test('progress appears on a terminal after a delay, changes at a limited rate, and is cleared', () => {
  let time = 0;
  let written = '';
  const stream = { isTTY: true, write: (text: string) => (written += text) };
  const progress = openProgress(stream, { started: 0, now: () => time });
  progress.show('early');
  progress.clear();
  expect(written).toBe('');
  time = 400;
  progress.show('one');
  progress.show('at once');
  time = 500;
  progress.show('two');
  progress.clear();
  progress.clear();
  expect(written).toBe('\r\u001B[2Kone\r\u001B[2Ktwo\r\u001B[2K');

  const quiet = openProgress(
    { isTTY: false, write: () => expect.fail('written') },
    { started: 0, now: () => time },
  );
  time = 1000;
  quiet.show('never');
});
