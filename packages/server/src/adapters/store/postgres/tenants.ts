import type { Tenant } from '@catalog/core/ports/tenant';
import type {
  TenantQuota,
  TenantReads,
  TenantRecord,
  TenantWrites,
  WatchedTenant,
} from '@catalog/core/ports/tenants';
import { NO_TENANT, type Queries, type Run } from './queries.ts';
import { tenantUsage } from './tenant-usage.ts';
import type { Transaction } from './transaction.ts';

/** A row as it is stored: the quota is columns. */
export type TenantRow = Omit<TenantRecord, 'quota'> & TenantQuota;

export const TENANT_COLUMNS = `tenant, id, name, active, storage_bytes, search_qps, materialize_rate,
  audit_volume_per_day, max_user_layers, expose_scope_preview, extends_parents, created_at`;
const GET = `SELECT ${TENANT_COLUMNS} FROM tenant_records WHERE tenant = $1`;
const FIND = 'SELECT tenant FROM tenant_of_organization($1)';
const LIST = `SELECT ${TENANT_COLUMNS} FROM every_tenant()`;
const LIST_ACTIVE = 'SELECT tenant FROM active_tenants()';
const LIST_WATCHED = 'SELECT tenant, revision FROM watched_tenants()';
const CREATE = 'SELECT create_tenant($1) AS tenant';
const REPLACE = `UPDATE tenant_records SET active = $2, storage_bytes = $3, search_qps = $4,
    materialize_rate = $5, audit_volume_per_day = $6, max_user_layers = $7, expose_scope_preview = $8,
    extends_parents = $9
  WHERE tenant = $1`;

export function tenantReads(run: Run): TenantReads {
  return {
    get: (tenant) => run(tenant, (queries) => getRecord(queries, tenant)),
    async find(organization) {
      const found = await run(NO_TENANT, (queries) =>
        queries.row<{ tenant: Tenant }>(FIND, organization),
      );
      if (found === undefined) return undefined;
      return run(found.tenant, (queries) => getRecord(queries, found.tenant));
    },
    list: () =>
      run(NO_TENANT, async (queries) => (await queries.rows<TenantRow>(LIST)).map(toRecord)),
    listActive: () =>
      run(NO_TENANT, async (queries) => {
        const rows = await queries.rows<{ tenant: Tenant }>(LIST_ACTIVE);
        return rows.map(({ tenant }) => tenant);
      }),
    listWatched: () => run(NO_TENANT, (queries) => queries.rows<WatchedTenant>(LIST_WATCHED)),
    usage: tenantUsage(run),
  };
}

export function tenantWrites(transaction: Transaction): TenantWrites {
  const { run, beside } = transaction;
  return {
    // Whoever looks for a tenant that is not there has no tenant to wait for.
    ...tenantReads(beside),
    get: (tenant) => run(tenant, (queries) => getRecord(queries, tenant)),
    async create(wanted, number) {
      const row = toRow({ ...wanted, tenant: number ?? null });
      const created = await beside(NO_TENANT, (queries) =>
        queries.row<{ tenant: Tenant }>(CREATE, JSON.stringify(row)),
      );
      if (created === undefined) throw new Error(`Tenant ${wanted.name} was not stored.`);
      transaction.touchTenant(created.tenant);
      return { ...wanted, tenant: created.tenant };
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
      // Its jobs may run now, or its folders need not be watched any more.
      transaction.announce();
    },
  };
}

async function getRecord(queries: Queries, tenant: Tenant): Promise<TenantRecord | undefined> {
  const row = await queries.row<TenantRow>(GET, tenant);
  return row && toRecord(row);
}

export function toRecord(row: TenantRow): TenantRecord {
  return {
    tenant: row.tenant,
    id: row.id,
    name: row.name,
    active: row.active,
    quota: {
      storage_bytes: row.storage_bytes,
      search_qps: row.search_qps,
      materialize_rate: row.materialize_rate,
      audit_volume_per_day: row.audit_volume_per_day,
      max_user_layers: row.max_user_layers,
    },
    expose_scope_preview: row.expose_scope_preview,
    extends_parents: row.extends_parents,
    created_at: row.created_at,
  };
}

/** The columns of a record; JSON of it is a row. */
export function toRow<Numbered extends Omit<TenantRecord, 'tenant'>>({
  quota,
  ...record
}: Numbered): Omit<Numbered, 'quota'> & TenantQuota {
  return { ...record, ...quota };
}
