import type { Tenant } from '@catalog/core/ports/tenant';
import type { TenantReads, TenantRecord, TenantWrites } from '@catalog/core/ports/tenants';
import type { Dialect } from './dialect.ts';
import { NO_TENANT, type Queries, type Run, type Transaction } from './queries.ts';
import { columnNames } from './table.ts';
import { TENANT_RECORDS, toRecord, toRow, type TenantRow } from './tenant-rows.ts';
import type { Sql } from './sql.ts';

export const TENANT_COLUMNS = columnNames(TENANT_RECORDS);
const GET: Sql<TenantRow> = `SELECT ${TENANT_COLUMNS} FROM tenant_records WHERE tenant = $1`;
const REPLACE = `UPDATE tenant_records SET active = $2, storage_bytes = $3, search_qps = $4,
    materialize_rate = $5, audit_volume_per_day = $6, max_user_layers = $7, expose_scope_preview = $8,
    extends_parents = $9
  WHERE tenant = $1`;

export function tenantReads(run: Run, dialect: Dialect): TenantReads {
  return {
    get: (tenant) => run(tenant, (queries) => getRecord(queries, tenant)),
    async find(organization) {
      const found = await run(NO_TENANT, (queries) =>
        queries.row(dialect.TENANT_OF_ORGANIZATION, organization),
      );
      if (found === undefined) return undefined;
      return run(found.tenant, (queries) => getRecord(queries, found.tenant));
    },
    list: () =>
      run(NO_TENANT, async (queries) => (await queries.rows(dialect.EVERY_TENANT)).map(toRecord)),
    listActive: () =>
      run(NO_TENANT, async (queries) => {
        const rows = await queries.rows(dialect.ACTIVE_TENANTS);
        return rows.map(({ tenant }) => tenant);
      }),
    listWatched: () => run(NO_TENANT, (queries) => queries.rows(dialect.WATCHED_TENANTS)),
    usage: (tenant, now) =>
      run(tenant, async (queries) => {
        const row = await queries.row(dialect.TENANT_USAGE, tenant, now);
        return row ?? { storage_bytes: 0, artifact_count: 0, audit_volume_today: 0 };
      }),
  };
}

export function tenantWrites(transaction: Transaction, dialect: Dialect): TenantWrites {
  const { run, beside } = transaction;
  return {
    ...tenantReads(beside, dialect),
    get: (tenant) => run(tenant, (queries) => getRecord(queries, tenant)),
    async create(wanted, number) {
      const tenant = await beside(NO_TENANT, (queries) =>
        dialect.createTenant(queries, toRow(wanted), number),
      );
      transaction.touchTenant(tenant);
      return { ...wanted, tenant };
    },
    async replace({ tenant, active, quota, expose_scope_preview, extends_parents }) {
      await run(tenant, (queries) =>
        queries.run(
          REPLACE,
          tenant,
          active,
          quota.storage_bytes,
          quota.search_qps,
          quota.materialize_rate,
          quota.audit_volume_per_day,
          quota.max_user_layers,
          expose_scope_preview,
          extends_parents,
        ),
      );
      transaction.touchTenant(tenant);
      // Listeners must check whether the tenant's jobs may run now and whether its folders need watching.
      transaction.announce();
    },
  };
}

async function getRecord(queries: Queries, tenant: Tenant): Promise<TenantRecord | undefined> {
  const row = await queries.row(GET, tenant);
  return row && toRecord(row);
}
