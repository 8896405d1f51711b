import type { AdminGrant, GrantReads, GrantWrites } from '@catalog/core/ports/grants';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Connection, Run } from './connection.ts';
import type { Transaction } from './transaction.ts';

const IS_ADMIN = 'SELECT 1 FROM admin_grants WHERE tenant = ? AND user_id = ?';
const LIST = `SELECT user_id, granted_at, granted_by FROM admin_grants WHERE tenant = ?
  ORDER BY user_id`;
const GRANT = `INSERT INTO admin_grants (tenant, user_id, granted_at, granted_by)
  VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`;
const REVOKE = 'DELETE FROM admin_grants WHERE tenant = ? AND user_id = ?';

export function grantReads(run: Run): GrantReads {
  return {
    isAdmin: (tenant, user_id) =>
      run((connection) => connection.statement(IS_ADMIN).get(tenant, user_id) !== undefined),
    list: (tenant) => run((connection) => connection.statement<AdminGrant>(LIST).all(tenant)),
  };
}

export function grantWrites(transaction: Transaction): GrantWrites {
  const { run } = transaction;
  return {
    ...grantReads(run),
    async grant(tenant, grant) {
      const isNew = await run((connection) => insertGrant(connection, tenant, grant));
      if (isNew) transaction.touchTenant(tenant);
      return isNew;
    },
    async revoke(tenant, user_id) {
      const { changes } = await run((connection) =>
        connection.statement(REVOKE).run(tenant, user_id),
      );
      if (changes === 0) return false;
      transaction.touchTenant(tenant);
      return true;
    },
  };
}

/** Answers whether there was none. */
export function insertGrant(
  connection: Connection,
  tenant: Tenant,
  { user_id, granted_at, granted_by }: AdminGrant,
): boolean {
  const { changes } = connection.statement(GRANT).run(tenant, user_id, granted_at, granted_by);
  return changes === 1;
}
