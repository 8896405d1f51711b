import type { TenantList } from '@catalog/contract/records/access';
import type { Registry } from '../registry.ts';
import { toWireTenant } from './to-wire-tenant.ts';

export async function listTenants({ store }: Registry): Promise<TenantList> {
  const tenants = await store.tenants.list();
  return { tenants: tenants.map(toWireTenant) };
}
