import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { table } from '../tools/docs/markdown.ts';
import { pages } from '../tools/docs/pages.ts';

const FOLDER = join(import.meta.dirname, '../docs/reference');

describe('the reference pages', () => {
  test('are exactly the generated pages', () => {
    expect(readdirSync(FOLDER).toSorted()).toEqual(Object.keys(pages).toSorted());
  });

  test.each(Object.entries(pages))('%s is the output of ./dev docs', (name, render) => {
    expect(readFileSync(join(FOLDER, name), 'utf8')).toBe(render());
  });

  test.each(Object.entries(pages))(
    '%s has tables whose rows have as many cells as the header',
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

  test('table escapes a pipe inside a cell', () => {
    expect(table(['a'], [['`x|y`']])).toBe('| a |\n|---|\n| `x\\|y` |');
  });
});

function cellsOf(row: string): number {
  return row.replaceAll('\\|', '').split('|').length;
}
