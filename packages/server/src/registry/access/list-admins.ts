import type { AdminList } from '@catalog/contract/records/access';
import type { CallContext, Registry } from '../registry.ts';

export async function listAdmins({ store }: Registry, { tenant }: CallContext): Promise<AdminList> {
  return { admins: await store.grants.list(tenant) };
}
