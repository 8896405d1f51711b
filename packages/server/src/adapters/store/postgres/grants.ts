import type { AdminGrant, GrantReads, GrantWrites } from '@catalog/core/ports/grants';
import type { Run } from './queries.ts';
import type { Transaction } from './transaction.ts';

const IS_ADMIN = 'SELECT 1 FROM admin_grants WHERE tenant = $1 AND user_id = $2';
const LIST = `SELECT user_id, granted_at, granted_by FROM admin_grants WHERE tenant = $1
  ORDER BY user_id`;
const GRANT = `INSERT INTO admin_grants (tenant, user_id, granted_at, granted_by)
  VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`;
const REVOKE = 'DELETE FROM admin_grants WHERE tenant = $1 AND user_id = $2';

export function grantReads(run: Run): GrantReads {
  return {
    isAdmin: (tenant, user_id) =>
      run(tenant, async (queries) => (await queries.row(IS_ADMIN, tenant, user_id)) !== undefined),
    list: (tenant) => run(tenant, (queries) => queries.rows<AdminGrant>(LIST, tenant)),
  };
}

export function grantWrites(transaction: Transaction): GrantWrites {
  const { run } = transaction;
  return {
    ...grantReads(run),
    async grant(tenant, { user_id, granted_at, granted_by }) {
      const added = await run(tenant, (queries) =>
        queries.run(GRANT, tenant, user_id, granted_at, granted_by),
      );
      if (added === 0) return false;
      transaction.touchTenant(tenant);
      return true;
    },
    async revoke(tenant, user_id) {
      const removed = await run(tenant, (queries) => queries.run(REVOKE, tenant, user_id));
      if (removed === 0) return false;
      transaction.touchTenant(tenant);
      return true;
    },
  };
}
