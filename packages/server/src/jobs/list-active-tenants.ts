import { ONLY_TENANT, type Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry/registry.ts';

/**
 * The tenants a registry does something in by itself, the one of the configuration first. That one is
 * among them also before it has a record, which a start in read-only mode writes later.
 */
export async function listActiveTenants({
  store,
}: Pick<Registry, 'store'>): Promise<readonly Tenant[]> {
  const active = await store.tenants.listActive();
  if (active.includes(ONLY_TENANT)) return active;
  return (await store.tenants.get(ONLY_TENANT)) === undefined ? [ONLY_TENANT, ...active] : active;
}
