import { PAGE_DEFAULT } from '@catalog/contract/limits';
import type { CatalogResponse } from '@catalog/contract/records/discovery';
import type { HeadRecord, LayerStack } from '@catalog/core/ports/versions';
import { listWinners } from '../load/resolve-artifact.ts';
import type { CallContext, Registry } from '../registry.ts';
import { resolveView } from '../view/resolve-view.ts';
import type { View } from '../view/view.ts';
import { BATCH, MAX_READ, passes, toEntry, type HeadFilter } from './head-filter.ts';

export interface CatalogPage extends HeadFilter {
  scope: string;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/**
 * Lists artifacts. A request reads at most `MAX_READ` heads: with a selective filter, a page may be shorter, and its
 * cursor continues after the last head read.
 */
export async function listCatalog(
  registry: Registry,
  context: CallContext,
  { scope, limit = PAGE_DEFAULT, cursor = '', ...filter }: CatalogPage,
): Promise<CatalogResponse> {
  const view = await resolveView(registry, context);
  const stack = listedLayers(view, filter.layer);
  const found: HeadRecord[] = [];
  const read = isFiltered(filter) ? BATCH : limit;
  let after = cursor;
  let isLast = stack.length === 0;
  for (let total = 0; !isLast && found.length < limit && total < MAX_READ; total += read) {
    const page = { prefix: scope, after, limit: read };
    const listed = await view.reads.versions.listView(context.tenant, stack, page);
    isLast = listed.length < read;
    const ids = listed.map(({ id }) => id);
    const heads = await listWinners(context, view, ids);
    for (const id of ids) {
      if (found.length === limit) {
        isLast = false;
        break;
      }
      after = id;
      const head = heads.get(id);
      if (head !== undefined && passes(view, head, filter)) found.push(head);
    }
  }
  return {
    ids: found.map(({ id }) => id),
    artifacts: found.map((head) => toEntry(view, head)),
    ...(isLast ? {} : { next_cursor: after }),
  };
}

function isFiltered({ type, tags, layer, harness, updated_since, ...flags }: HeadFilter): boolean {
  return (
    type + layer + harness !== '' ||
    tags.length > 0 ||
    updated_since !== undefined ||
    flags.deprecated === true
  );
}

function listedLayers(view: View, layer: string): LayerStack {
  if (layer === '') return view.stack;
  return view.layers.filter(({ id }) => id === layer).map(({ number }) => number);
}
