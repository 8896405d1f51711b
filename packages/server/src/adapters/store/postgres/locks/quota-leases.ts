import type { QuotaLeases } from '@catalog/core/ports/quota';
import { NO_TENANT, type Run } from '../../shared/queries.ts';
import type { Sql } from '../../shared/sql.ts';

// Each process has one connection for locks, and its own role can see its application name.
const COUNT_PROCESSES: Sql<{ processes: number }> =
  `SELECT count(*) AS processes FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'catalog locks'`;
const LEASE: Sql<{ tokens: number; retry_after_ms: number }> =
  'SELECT tokens, retry_after_ms FROM lease_quota($1, $2, $3, $4, $5)';

/**
 * Uses one row per tenant and kind, and the database clock. Each lease is a single-statement
 * transaction, so that leases and changes to the tenant do not block each other.
 */
export function quotaLeases(write: Run): QuotaLeases {
  return {
    lease: (tenant, kind, { rate, burst }, wanted) =>
      write(tenant, async (queries) => {
        const row = await queries.row(LEASE, tenant, kind, rate, burst, wanted);
        if (row === undefined) throw new Error('A lease was neither granted nor refused.');
        const { tokens, retry_after_ms } = row;
        return tokens > 0 ? { kind: 'granted', tokens } : { kind: 'spent', retry_after_ms };
      }),
    countProcesses: () =>
      write(NO_TENANT, async (queries) => {
        const row = await queries.row(COUNT_PROCESSES);
        return row?.processes ?? 0;
      }),
  };
}
