import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines } from './diff-lines.ts';

const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 });

test('diffLines keeps the lines of both versions in order and pairs only equal lines', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const [old, current] = [`${before.join('\n')}\n`, `${after.join('\n')}\n`];
      const lines = diffLines(old, current);
      const kept = (kind: string): string[] =>
        lines.filter((line) => line.kind === 'same' || line.kind === kind).map((line) => line.text);
      expect(kept('removed')).toEqual(old.replace(/\n$/, '').split('\n'));
      expect(kept('added')).toEqual(current.replace(/\n$/, '').split('\n'));
      const numbers = lines.flatMap(({ before: at }) => at ?? []);
      expect(numbers).toEqual(numbers.map((_, at) => at + 1));
    }),
  );
});

test('diffLines marks only changed lines', () => {
  const kinds = diffLines('a\nb\nc\n', 'a\nx\nc\n').map(({ kind, text: line }) => [kind, line]);
  expect(kinds).toEqual([
    ['same', 'a'],
    ['removed', 'b'],
    ['added', 'x'],
    ['same', 'c'],
  ]);
  expect(diffLines('', 'a\n')).toEqual([{ kind: 'added', text: 'a', before: undefined, after: 1 }]);
});

test('diffLines lists all old lines, then all new lines, if there are more than 500 edits', () => {
  const lines = Array.from({ length: 600 }, (_, at) => `line ${at}`);
  const changed = lines.map((line, at) => (at % 2 === 0 ? `${line}!` : line));
  const kinds = diffLines(lines.join('\n'), changed.join('\n')).map(({ kind }) => kind);
  expect(kinds).toEqual([...lines.map(() => 'removed'), ...lines.map(() => 'added')]);
});
