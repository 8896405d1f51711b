import type { DocumentKey } from '@catalog/core/ports/search-index';
import type { Store, StoreWrites } from '@catalog/core/ports/store';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import { isFound, toDocument } from '../ingest/put-versions.ts';

/** Heads per transaction, few enough that others wait only briefly. */
const HEADS_AT_ONCE = 500;

/**
 * Rebuilds the search index of a tenant. Searches continue with the terms of old and new documents. An interrupted run
 * resumes.
 */
export async function renewIndex(
  store: Store,
  tenant: Tenant,
  wanted: string,
  signal: AbortSignal,
): Promise<void> {
  let isDone = await store.transaction((writes) => begin(writes, tenant, wanted));
  while (!isDone && !signal.aborted) {
    isDone = await store.transaction((writes) => renewSome(writes, tenant));
  }
}

/** Begins a renewal. Returns true if nothing is left to renew. */
async function begin(writes: StoreWrites, tenant: Tenant, wanted: string): Promise<boolean> {
  const { search } = writes;
  const { kinds } = await search.getIndexing(tenant);
  if (kinds.at(-1) === wanted) return kinds.length === 1;
  const renewed_before = { layer: 0, id: '' };
  const isEmpty = (await nextLayer(writes, tenant, renewed_before)) === undefined;
  const former = isEmpty ? [] : kinds.filter((kind) => kind !== wanted);
  await search.setIndexing(tenant, { kinds: [...former, wanted], renewed_before });
  return isEmpty;
}

/** Renews some documents. Returns true after the last layer. */
async function renewSome(writes: StoreWrites, tenant: Tenant): Promise<boolean> {
  const { search } = writes;
  const { kinds, renewed_before } = await search.getIndexing(tenant);
  const next = await nextLayer(writes, tenant, renewed_before);
  if (next === undefined) {
    await search.setIndexing(tenant, { kinds: kinds.slice(-1), renewed_before });
    return true;
  }
  const { layer, id } = next;
  if (id === '') await writes.domains.renewDomains(tenant, layer);
  const heads = await writes.versions.listHeadIds(tenant, layer, id, HEADS_AT_ONCE);
  await renewHeads(
    writes,
    tenant,
    layer,
    heads.map((head) => head.id),
  );
  const last = heads.at(-1);
  await search.setIndexing(tenant, {
    kinds,
    renewed_before: last === undefined ? { layer: layer + 1, id: '' } : { layer, id: last.id },
  });
  return false;
}

async function nextLayer(
  { layers }: StoreWrites,
  tenant: Tenant,
  at: DocumentKey,
): Promise<DocumentKey | undefined> {
  const all = [...(await layers.list(tenant)), ...(await layers.listDeleted(tenant))];
  const numbers = all.map(({ number }) => number).filter((number) => number >= at.layer);
  if (numbers.length === 0) return undefined;
  const layer = Math.min(...numbers);
  return { layer, id: layer === at.layer ? at.id : '' };
}

async function renewHeads(
  { versions, search }: StoreWrites,
  tenant: Tenant,
  layer: LayerNumber,
  ids: readonly string[],
): Promise<void> {
  const heads = await versions.listHeadsOf(tenant, [layer], ids);
  await search.renewDocuments(tenant, layer, heads.filter(isFound).map(toDocument));
}
