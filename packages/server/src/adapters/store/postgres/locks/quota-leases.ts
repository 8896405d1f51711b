import type { QuotaLeases } from '@catalog/core/ports/quota';
import { NO_TENANT, type Run } from '../../shared/queries.ts';
import type { Sql } from '../../shared/sql.ts';

// Counts the connections for locks: each process has one, and a role can see its own application names.
const COUNT_PROCESSES: Sql<{ processes: number }> =
  `SELECT count(*) AS processes FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'catalog locks'`;
const LEASE: Sql<{ tokens: number; retry_after_ms: number }> =
  'SELECT tokens, retry_after_ms FROM lease_quota($1, $2, $3, $4, $5)';

/**
 * Leases quota tokens in PostgreSQL. Uses one row per tenant and kind, and the clock of the database. Each lease is a
 * separate transaction, so that it blocks no other change to the tenant.
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
