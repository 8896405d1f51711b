import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { table } from '../tools/docs/markdown.ts';
import { pages } from '../tools/docs/pages.ts';

const FOLDER = join(import.meta.dirname, '../docs/reference');

describe('the reference', () => {
  test('holds the generated pages and nothing else', () => {
    expect(readdirSync(FOLDER).toSorted()).toEqual(Object.keys(pages).toSorted());
  });

  test.each(Object.entries(pages))('%s is what ./dev docs writes', (name, render) => {
    expect(readFileSync(join(FOLDER, name), 'utf8')).toBe(render());
  });

  test.each(Object.entries(pages))(
    '%s has tables whose rows are as wide as their head',
    (_, render) => {
      const rows = render().split('\n');
      for (const [index, row] of rows.entries()) {
        if (!/^\|(?:---\|)+$/.test(row)) continue;
        const width = cellsOf(rows[index - 1] ?? '');
        for (let next = index; rows[next]?.startsWith('|'); next += 1) {
          expect(cellsOf(rows[next] ?? ''), rows[next]).toBe(width);
        }
      }
    },
  );

  test('a pipe inside a cell does not end it', () => {
    expect(table(['a'], [['`x|y`']])).toBe('| a |\n|---|\n| `x\\|y` |');
  });
});

function cellsOf(row: string): number {
  return row.replaceAll('\\|', '').split('|').length;
}
