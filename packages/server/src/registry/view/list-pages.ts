import type { ViewPage } from '@catalog/core/ports/versions';

const PAGE = 4000;

/** Reads a page of a view. */
export type ReadPage<Head> = (page: ViewPage) => Promise<Head[]>;

export function readFirstPage<Head>(read: ReadPage<Head>, prefix: string): Promise<Head[]> {
  return read({ prefix, after: '', limit: PAGE });
}

/**
 * All of a view at a path and below it, a page at a time, from the first page on. The next page is on
 * its way while the caller works on one, so that neither waits for the other.
 */
export async function* listPages<Head extends { id: string }>(
  read: ReadPage<Head>,
  prefix: string,
  first: Head[],
): AsyncGenerator<Head[]> {
  for (let page = first; ;) {
    const last = page.at(-1);
    if (last === undefined) return;
    const isLast = page.length < PAGE;
    const next = isLast ? undefined : read({ prefix, after: last.id, limit: PAGE });
    // Where the caller stops, nobody asks whether the next one failed.
    next?.catch(() => undefined);
    yield page;
    if (next === undefined) return;
    page = await next;
  }
}

/** Some items of a JSON array, without its brackets: one call for a page is far cheaper than one for each. */
export function writeItems(items: readonly unknown[]): string {
  return JSON.stringify(items).slice(1, -1);
}
