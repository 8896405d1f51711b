import { ONLY_TENANT, type Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry/registry.ts';

/** Lists active tenants, the one of the configuration first. In read-only mode, its record may not exist yet. */
export async function listActiveTenants({
  store,
}: Pick<Registry, 'store'>): Promise<readonly Tenant[]> {
  const active = await store.tenants.listActive();
  if (active.includes(ONLY_TENANT)) return active;
  return (await store.tenants.get(ONLY_TENANT)) === undefined ? [ONLY_TENANT, ...active] : active;
}
