import { describe, expect, test } from 'vitest';
import { listPages, readFirstPage, type ReadPage } from './list-pages.ts';

function viewOf(count: number): { read: ReadPage<{ id: string }>; asked: string[] } {
  const ids = Array.from({ length: count }, (_, index) => String(index).padStart(5, '0'));
  const requested: string[] = [];
  return {
    asked: requested,
    read({ after, limit }) {
      requested.push(after);
      const page = ids.filter((id) => id > after).slice(0, limit);
      return Promise.resolve(page.map((id) => ({ id })));
    },
  };
}

async function sizesOf(count: number): Promise<{ sizes: number[]; asked: string[] }> {
  const { read, asked: requested } = viewOf(count);
  const sizes: number[] = [];
  for await (const page of listPages(read, '', await readFirstPage(read, ''))) {
    sizes.push(page.length);
  }
  return { sizes, asked: requested };
}

describe('listPages', () => {
  test.each([
    [0, []],
    [999, [999]],
    [4000, [4000]],
    [8001, [4000, 4000, 1]],
  ])('returns pages of the expected sizes for %i heads', async (count, expected) => {
    const { sizes, asked: requested } = await sizesOf(count);
    expect(sizes).toEqual(expected);
    expect(new Set(requested).size).toBe(requested.length);
  });

  test('reads one page ahead of its caller', async () => {
    const { read, asked: requested } = viewOf(6000);
    const pages = listPages(read, '', await readFirstPage(read, ''));
    await pages.next();
    expect(requested).toEqual(['', '03999']);
    await pages.return(undefined);
    expect(requested).toHaveLength(2);
  });

  test('throws the error of a failed read', async () => {
    const { read } = viewOf(6000);
    const failing: ReadPage<{ id: string }> = (page) =>
      page.after === '' ? read(page) : Promise.reject(new Error('gone'));
    const pages = listPages(failing, '', await readFirstPage(failing, ''));
    expect((await pages.next()).value).toHaveLength(4000);
    await expect(pages.next()).rejects.toThrow('gone');
  });
});
