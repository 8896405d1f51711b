import type { CatalogResponse } from '@catalog/contract/records/discovery';
import type { DescribedHead } from '@catalog/core/ports/versions';
import type { CallContext, Registry } from '../registry.ts';
import { listPages, readFirstPage, writeItems, type ReadPage } from '../view/list-pages.ts';
import { resolveView } from '../view/resolve-view.ts';
import type { View } from '../view/view.ts';
import { viewEtag } from '../view/view-etag.ts';

export interface CatalogStream {
  etag: string;
  /** Content in chunks, so that memory use does not depend on the size of the catalog. */
  chunks: () => AsyncIterable<string>;
}

export async function streamCatalog(
  registry: Registry,
  context: CallContext,
  scope: string,
): Promise<CatalogStream> {
  const view = await resolveView(registry, context);
  return {
    etag: viewEtag(view),
    chunks: () => writeCatalog(context, view, scope),
  };
}

/** Writes two lists of the same artifacts. More than one page is read twice, which saves memory. */
async function* writeCatalog(
  { tenant }: CallContext,
  { stack, reads }: View,
  scope: string,
): AsyncIterable<string> {
  const read: ReadPage<DescribedHead> = (page) => reads.versions.describeView(tenant, stack, page);
  const first = await readFirstPage(read, scope);
  yield '{"ids":[';
  yield* writeList(listPages(read, scope, first), ({ id }) => id);
  yield '],"artifacts":[';
  yield* writeList(listPages(read, scope, first), toDescriptor);
  yield ']}';
}

async function* writeList(
  pages: AsyncIterable<readonly DescribedHead[]>,
  toItem: (head: DescribedHead) => unknown,
): AsyncIterable<string> {
  let separator = '';
  for await (const page of pages) {
    yield separator + writeItems(page.map(toItem));
    separator = ',';
  }
}

function toDescriptor({
  id,
  type,
  description,
}: DescribedHead): CatalogResponse['artifacts'][number] {
  return { id, type, summary: description };
}
