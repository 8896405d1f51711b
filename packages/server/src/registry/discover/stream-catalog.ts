import type { CatalogResponse } from '@catalog/contract/records/discovery';
import type { HeadRecord } from '@catalog/core/ports/versions';
import type { CallContext, Registry } from '../registry.ts';
import { resolveView, type View } from '../view/resolve-view.ts';
import { viewEtag } from '../view/view-etag.ts';

/** A catalog that is about to be sent. */
export interface CatalogAnswer {
  etag: string;
  /** The JSON, piece by piece: memory does not grow with the catalogue. */
  chunks: () => AsyncIterable<string>;
}

const PAGE = 1000;

/** Ids and lean descriptors of the caller's view: all of it, or what lies under a path. */
export async function streamCatalog(
  registry: Registry,
  context: CallContext,
  scope: string,
): Promise<CatalogAnswer> {
  const view = await resolveView(registry, context);
  return {
    etag: viewEtag(view),
    chunks: () => writeCatalog(registry, context, view, scope),
  };
}

/**
 * The answer has two lists of the same artifacts. What fits one page is read once; more is read
 * again for the second list, which costs time where holding it would cost memory.
 */
async function* writeCatalog(
  registry: Registry,
  { tenant }: CallContext,
  { stack }: View,
  scope: string,
): AsyncIterable<string> {
  const readPage = (after: string): Promise<HeadRecord[]> =>
    registry.store.versions.listView(tenant, stack, { prefix: scope, after, limit: PAGE });
  const first = await readPage('');
  yield '{"ids":[';
  yield* writeList(first, readPage, ({ id }) => id);
  yield '],"artifacts":[';
  yield* writeList(first, readPage, toDescriptor);
  yield ']}';
}

async function* writeList(
  first: readonly HeadRecord[],
  readPage: (after: string) => Promise<readonly HeadRecord[]>,
  toItem: (head: HeadRecord) => unknown,
): AsyncIterable<string> {
  let separator = '';
  for (let page = first; page.length > 0;) {
    yield separator + page.map((head) => JSON.stringify(toItem(head))).join(',');
    separator = ',';
    const last = page.at(-1);
    page = last === undefined || page.length < PAGE ? [] : await readPage(last.id);
  }
}

function toDescriptor({ id, type, description }: HeadRecord): CatalogResponse['artifacts'][number] {
  return { id, type, summary: description };
}
