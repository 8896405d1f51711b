import { expect, test } from 'vitest';
import { fitToScreen } from './fit-to-screen.ts';
import { renderLine, styled, type Line } from './text.ts';

function fitted(line: Line, columns: number | undefined): string[] {
  return fitToScreen(line, columns).map((each) => renderLine(each, false));
}

const PROSE = '  fix: Choose another name, because the registry has one already.';

test('breaks a long line at spaces and indents the remaining lines', () => {
  expect(fitted(PROSE, 40)).toEqual([
    '  fix: Choose another name, because the',
    '    registry has one already.',
  ]);
});

test.each([undefined, 0, 20, 66])('fitToScreen keeps a line unchanged in %s columns', (columns) => {
  expect(fitted(PROSE, columns)).toEqual([PROSE]);
});

test('does not break commands in backticks or bold text', () => {
  expect(fitted('To list all of them in one go, run `catalog help --all`.', 44)).toEqual([
    'To list all of them in one go, run',
    '  `catalog help --all`.',
  ]);
  const bold = ['Next, in another terminal window: ', styled('bold', 'catalog search deploy'), '.'];
  expect(fitted(bold, 44)).toEqual([
    'Next, in another terminal window:',
    '  catalog search deploy.',
  ]);
});

test('continues a style after a break, and does not break between spans without a space', () => {
  const line = [styled('dim', 'aaaaaaaaaa bbbbbbbbbb cccccccccc ddddddd'), ': eeee'];
  expect(fitToScreen(line, 40).map((each) => renderLine(each, true))).toEqual([
    '\u001B[2maaaaaaaaaa\u001B[0m \u001B[2mbbbbbbbbbb\u001B[0m \u001B[2mcccccccccc\u001B[0m',
    '  \u001B[2mddddddd\u001B[0m: eeee',
  ]);
});

test('does not break words longer than the width, or lines of a document', () => {
  const url = `https://example.com/${'x'.repeat(50)}`;
  expect(fitted(url, 40)).toEqual([url]);
  expect(fitted([{ document: PROSE }], 40)).toEqual([PROSE]);
});
