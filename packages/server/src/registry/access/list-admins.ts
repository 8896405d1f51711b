import type { AdminList } from '@catalog/contract/records/access';
import type { CallContext, Registry } from '../registry.ts';

/** Who holds the admin role of the caller's tenant, and who gave it. */
export async function listAdmins({ store }: Registry, { tenant }: CallContext): Promise<AdminList> {
  return { admins: await store.grants.list(tenant) };
}
