import type { PendingEmbedding } from '../../ports/embeddings.ts';
import type { Store } from '../../ports/store.ts';
import type { Tenant } from '../../ports/tenant.ts';
import { newHead } from '../samples.conformance.ts';

export const MODEL = { name: 'test/one/8/t1', dimensions: 8 };

export function minute(minutes: number): string {
  return new Date(Date.UTC(2026, 0, 2) + minutes * 60_000).toISOString();
}

export async function putDocuments(
  store: Store,
  tenant: Tenant,
  layer: number,
  ids: readonly string[],
  ingested_at = minute(0),
): Promise<void> {
  await store.transaction(async ({ versions, search }) => {
    const heads = ids.map((id) => newHead({ id, layer, ingested_at }));
    await versions.putHeads(tenant, layer, heads);
    await search.putDocuments(tenant, layer, heads);
  });
}

export async function removeDocuments(
  store: Store,
  tenant: Tenant,
  layer: number,
  ids: readonly string[],
): Promise<void> {
  await store.transaction(async ({ versions, search }) => {
    await search.removeDocuments(tenant, layer, ids);
    await versions.removeHeads(tenant, layer, ids);
  });
}

export async function putDomain(
  store: Store,
  tenant: Tenant,
  layer: number,
  path: string,
): Promise<void> {
  const domain = { path, layer: String(layer), fields: { description: path }, body: '' };
  await store.transaction(({ domains }) =>
    domains.putDomains(tenant, layer, [{ path, text: path, domain }]),
  );
}

export async function addModel(
  store: Store,
  model = MODEL,
  external = false,
): ReturnType<Store['embeddings']['addModel']> {
  return store.embeddings.addModel({ ...model, external, now: minute(0) });
}

export function claim(
  store: Store,
  at = 0,
  { model = MODEL.name, limit = 100 } = {},
): Promise<PendingEmbedding[]> {
  return store.embeddings.claimWaiting({ model, now: minute(at), until: minute(at + 10), limit });
}

export function names(waiting: readonly Omit<PendingEmbedding, 'stamp' | 'attempts'>[]): string[] {
  return waiting
    .map(
      ({ tenant, layer, kind, id, removed }) =>
        `${tenant} ${layer} ${kind} ${id}${removed ? ' removed' : ''}`,
    )
    .sort();
}
