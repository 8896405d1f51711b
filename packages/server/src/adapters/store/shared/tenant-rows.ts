import type { TenantQuota, TenantRecord } from '@catalog/core/ports/tenants';
import { readRow, type Table } from './table.ts';

/** A row as it is stored: the quota is columns. */
export type TenantRow = Omit<TenantRecord, 'quota'> & TenantQuota;

export const TENANT_RECORDS: Table<TenantRow> = {
  name: 'tenant_records',
  columns: {
    tenant: 'integer',
    id: 'text',
    name: 'text',
    active: 'flag',
    storage_bytes: 'integer',
    search_qps: 'integer',
    materialize_rate: 'integer',
    audit_volume_per_day: 'integer',
    max_user_layers: 'integer',
    expose_scope_preview: 'flag',
    extends_parents: 'text',
    created_at: 'time',
  },
};

export function toRecord(stored: object): TenantRecord {
  const {
    storage_bytes,
    search_qps,
    materialize_rate,
    audit_volume_per_day,
    max_user_layers,
    ...record
  } = readRow(TENANT_RECORDS, stored);
  const quota = {
    storage_bytes,
    search_qps,
    materialize_rate,
    audit_volume_per_day,
    max_user_layers,
  };
  return { ...record, quota };
}

/** The columns of a record; JSON of it is a row. */
export function toRow<Numbered extends Omit<TenantRecord, 'tenant'>>({
  quota,
  ...record
}: Numbered): Omit<Numbered, 'quota'> & TenantQuota {
  return { ...record, ...quota };
}
