import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';

/**
 * Removes the objects of purged versions, with all their versions in a versioned bucket. Returns how many. The caller
 * holds the tenant lock.
 */
export async function removePendingObjects(
  { store, objects }: Registry,
  tenant: Tenant,
  signal: AbortSignal,
): Promise<number> {
  const records = await store.transaction(({ purges }) => purges.listPending(tenant));
  const pending = [...new Set(records.flatMap(({ pending_objects }) => pending_objects))];
  // An ingest may have stored the same file for another artifact since a failed attempt.
  const unused = new Set(
    await store.transaction(({ versions }) => versions.listUnreferenced(tenant, pending)),
  );
  const failed: string[] = [];
  let cause: unknown;
  for (const content_hash of pending) {
    if (!unused.has(content_hash)) continue;
    try {
      await objects.purge(tenant, content_hash, signal);
    } catch (error) {
      signal.throwIfAborted();
      failed.push(content_hash);
      cause ??= error;
    }
  }
  await store.transaction(({ purges }) =>
    purges.put(
      tenant,
      records.map((record) => ({
        ...record,
        pending_objects: record.pending_objects.filter((hash) => failed.includes(hash)),
      })),
    ),
  );
  if (failed.length === 0) return unused.size;
  throw new CatalogError(
    'ingest.resource_store_failed',
    `No caller can load the purged versions, but ${failed.length} files could not be removed from the object store: ${failed.join(', ')}.`,
    { suggested_action: 'Restore access to the object store, and run the purge again.', cause },
  );
}
