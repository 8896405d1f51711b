import type { AdminGrant, GrantReads, GrantWrites } from '@catalog/core/ports/grants';
import type { Run, Transaction } from './queries.ts';
import type { Sql } from './sql.ts';
import { plainTable } from './table.ts';

const GRANTS = plainTable('admin_grants');
const IS_ADMIN = 'SELECT 1 FROM admin_grants WHERE tenant = $1 AND user_id = $2';
const LIST: Sql<AdminGrant> = `SELECT user_id, granted_at, granted_by FROM admin_grants WHERE tenant = $1
  ORDER BY user_id`;
const REVOKE = 'DELETE FROM admin_grants WHERE tenant = $1 AND user_id = $2';

export function grantReads(run: Run): GrantReads {
  return {
    isAdmin: (tenant, user_id) =>
      run(tenant, async (queries) => (await queries.row(IS_ADMIN, tenant, user_id)) !== undefined),
    list: (tenant) => run(tenant, (queries) => queries.rows(LIST, tenant)),
  };
}

export function grantWrites(transaction: Transaction): GrantWrites {
  const { run } = transaction;
  return {
    ...grantReads(run),
    async grant(tenant, grant) {
      const added = await run(tenant, (queries) =>
        queries.insert(GRANTS, [{ tenant, ...grant }], 'ON CONFLICT DO NOTHING'),
      );
      if (added > 0) transaction.touchTenant(tenant);
      return added > 0;
    },
    async revoke(tenant, user_id) {
      const removed = await run(tenant, (queries) => queries.run(REVOKE, tenant, user_id));
      if (removed > 0) transaction.touchTenant(tenant);
      return removed > 0;
    },
  };
}
