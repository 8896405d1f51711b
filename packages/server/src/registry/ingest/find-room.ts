import type { Room, TenantRoom } from '@catalog/core/ingest/tenant-room';
import type { Tenant } from '@catalog/core/ports/tenant';
import { quotaOf } from '../access/quota-of.ts';
import type { Registry } from '../registry.ts';
import type { Removals } from './plan-removals.ts';

/**
 * What an ingest may bring, for one that has its tenant's turn: nobody else brings anything meanwhile.
 * What leaves with it makes room. It is looked up where it is written, since a copy may be behind.
 */
export async function findRoom(
  registry: Registry,
  tenant: Tenant,
  removals: Removals,
): Promise<TenantRoom> {
  const { artifact_count_quota } = registry.settings;
  return registry.store.transaction(async ({ tenants }) => {
    const { storage_bytes } = await quotaOf(registry, tenants, tenant);
    if (storage_bytes === 0 && artifact_count_quota === 0) {
      return { storage: undefined, artifacts: undefined };
    }
    const usage = await tenants.usage(tenant, registry.now().toISOString());
    return {
      storage: roomOf(storage_bytes, usage.storage_bytes),
      artifacts: roomOf(artifact_count_quota, usage.artifact_count - removals.artifacts.length),
    };
  });
}

function roomOf(limit: number, used: number): Room | undefined {
  return limit === 0 ? undefined : { limit, left: limit - used };
}
