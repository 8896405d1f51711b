import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';
import type { PlannedVersion } from './plan-ingest.ts';

/**
 * Puts large bytes where they are kept, before anything names them. One that cannot be stored stops
 * the ingest: nothing is committed, and the next run tries again (ERR-53).
 */
export async function storeObjects(
  { objects }: Registry,
  tenant: Tenant,
  plan: readonly PlannedVersion[],
  signal: AbortSignal,
): Promise<void> {
  for (const { record, objects: large } of plan) {
    for (const { content_hash, bytes } of large) {
      try {
        await objects.put(tenant, content_hash, bytes, signal);
      } catch (cause) {
        if (signal.aborted) throw cause;
        throw new CatalogError(
          'ingest.resource_store_failed',
          `A bundled file of ${record.id} could not be stored, so the ingest was rolled back.`,
          { details: { artifact_id: record.id, version: record.version }, cause },
        );
      }
    }
  }
}
