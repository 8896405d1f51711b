import type { PurgeResult } from '@catalog/contract/records/purge';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';

/** Removes this process's clones of the purged layers. Other processes remove theirs within a minute. */
export async function removeCopyOfPurged(
  { store, copies }: Registry,
  tenant: Tenant,
  { purged, children }: PurgeResult,
): Promise<void> {
  const ids = new Set([...purged, ...children].map(({ layer }) => layer));
  const layers = await store.transaction((writes) => writes.layers.list(tenant));
  for (const { id, number, source_type } of layers) {
    if (source_type === 'git' && ids.has(id)) await copies.remove(tenant, number);
  }
}
