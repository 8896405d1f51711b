import { ONLY_TENANT, type Tenant } from '@catalog/core/ports/tenant';
import type {
  TenantQuota,
  TenantReads,
  TenantRecord,
  TenantWrites,
  WatchedTenant,
} from '@catalog/core/ports/tenants';
import type { Connection, Run } from './connection.ts';
import { tenantUsage } from './tenant-usage.ts';
import type { Transaction } from './transaction.ts';

/** A row as it is stored: the quota is columns, what is true is 1. */
export interface TenantRow extends Omit<TenantRecord, 'quota' | Flag>, TenantQuota {
  active: number;
  expose_scope_preview: number | null;
}
type Flag = 'active' | 'expose_scope_preview';

const SELECT = 'SELECT * FROM tenant_records';
const LIST_ACTIVE = 'SELECT tenant FROM tenant_records WHERE active = 1 ORDER BY tenant';
const LIST_WATCHED = `SELECT tenant, revision FROM tenants t
  WHERE tenant IN (SELECT l.tenant FROM layers l WHERE source_type = 'local' AND deleted_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM tenant_records r WHERE r.tenant = t.tenant AND r.active = 0)
  ORDER BY tenant`;
const FIND = `${SELECT} WHERE id = ?1 OR name = ?1`;
/** A number, an id and a name are one tenant's alone. */
const TAKEN = `${SELECT} WHERE tenant = ?1 OR id IN (?2, ?3) OR name IN (?2, ?3)`;
const NEXT = `SELECT max(?, coalesce((SELECT max(tenant) FROM tenant_records), 0),
  coalesce((SELECT max(tenant) FROM tenants), 0)) + 1 AS tenant`;
const INSERT = `INSERT INTO tenant_records (tenant, id, name, active, storage_bytes, search_qps,
    materialize_rate, audit_volume_per_day, max_user_layers, expose_scope_preview, created_at,
    extends_parents)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const REPLACE = `UPDATE tenant_records SET active = ?2, storage_bytes = ?3, search_qps = ?4,
    materialize_rate = ?5, audit_volume_per_day = ?6, max_user_layers = ?7,
    expose_scope_preview = ?8, extends_parents = ?9
  WHERE tenant = ?1`;

export function tenantReads(run: Run): TenantReads {
  return {
    get: (tenant) =>
      run((connection) => {
        const row = connection.statement<TenantRow>(`${SELECT} WHERE tenant = ?`).get(tenant);
        return row && toRecord(row);
      }),
    find: (organization) =>
      run((connection) => {
        const row = connection.statement<TenantRow>(FIND).get(organization);
        return row && toRecord(row);
      }),
    list: () =>
      run((connection) =>
        connection.statement<TenantRow>(`${SELECT} ORDER BY name`).all().map(toRecord),
      ),
    listActive: () =>
      run((connection) =>
        connection
          .statement<{ tenant: Tenant }>(LIST_ACTIVE)
          .all()
          .map(({ tenant }) => tenant),
      ),
    listWatched: () => run((connection) => connection.statement<WatchedTenant>(LIST_WATCHED).all()),
    usage: tenantUsage(run),
  };
}

export function tenantWrites(transaction: Transaction): TenantWrites {
  const { run } = transaction;
  return {
    ...tenantReads(run),
    async create(wanted, number) {
      const record = await run((connection) => {
        const created = { ...wanted, tenant: number ?? nextNumber(connection) };
        refuseTaken(connection, created);
        insertTenant(connection, created);
        return created;
      });
      transaction.touchTenant(record.tenant);
      return record;
    },
    async replace({ tenant, active, quota, expose_scope_preview, extends_parents }) {
      await run((connection) => {
        connection
          .statement(REPLACE)
          .run(
            tenant,
            Number(active),
            quota.storage_bytes,
            quota.search_qps,
            quota.materialize_rate,
            quota.audit_volume_per_day,
            quota.max_user_layers,
            toFlag(expose_scope_preview),
            extends_parents,
          );
      });
      transaction.touchTenant(tenant);
      // Its jobs may run now, or its folders need not be watched any more.
      transaction.announce();
    },
  };
}

/** That of the only tenant is given to nobody who does not ask for it. */
function nextNumber(connection: Connection): Tenant {
  const row = connection.statement<{ tenant: Tenant }>(NEXT).get(ONLY_TENANT);
  return row?.tenant ?? ONLY_TENANT + 1;
}

function refuseTaken(connection: Connection, { tenant, id, name }: TenantRecord): void {
  if (connection.statement(TAKEN).get(tenant, id, name) === undefined) return;
  throw new Error(`Tenant ${name} already exists.`);
}

export function insertTenant(connection: Connection, record: TenantRecord): void {
  const { quota } = record;
  connection
    .statement(INSERT)
    .run(
      record.tenant,
      record.id,
      record.name,
      Number(record.active),
      quota.storage_bytes,
      quota.search_qps,
      quota.materialize_rate,
      quota.audit_volume_per_day,
      quota.max_user_layers,
      toFlag(record.expose_scope_preview),
      record.created_at,
      record.extends_parents,
    );
}

function toFlag(value: boolean | null): number | null {
  return value === null ? null : Number(value);
}

export function toRecord(row: TenantRow): TenantRecord {
  return {
    tenant: row.tenant,
    id: row.id,
    name: row.name,
    active: row.active === 1,
    quota: {
      storage_bytes: row.storage_bytes,
      search_qps: row.search_qps,
      materialize_rate: row.materialize_rate,
      audit_volume_per_day: row.audit_volume_per_day,
      max_user_layers: row.max_user_layers,
    },
    expose_scope_preview: row.expose_scope_preview === null ? null : row.expose_scope_preview === 1,
    extends_parents: row.extends_parents,
    created_at: row.created_at,
  };
}
