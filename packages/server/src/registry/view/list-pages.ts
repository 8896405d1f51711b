import type { ViewPage } from '@catalog/core/ports/versions';

const PAGE = 4000;

export type ReadPage<Head> = (page: ViewPage) => Promise<Head[]>;

export function readFirstPage<Head>(read: ReadPage<Head>, prefix: string): Promise<Head[]> {
  return read({ prefix, after: '', limit: PAGE });
}

/** Lists pages. Reads the next page while the caller processes the current one. */
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
    // If the caller stops, no one handles a failure of the next read.
    next?.catch(() => undefined);
    yield page;
    if (next === undefined) return;
    page = await next;
  }
}

/** Writes the items of a JSON array without its brackets. One call per page is far cheaper than one per item. */
export function writeItems(items: readonly unknown[]): string {
  return JSON.stringify(items).slice(1, -1);
}
