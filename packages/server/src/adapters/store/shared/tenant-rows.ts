import type { PlainRows } from '@catalog/core/ports/plain-tables';
import type { TenantQuota, TenantRecord } from '@catalog/core/ports/tenants';
import { plainTable, readRow } from './table.ts';

export type TenantRow = PlainRows['tenant_records'];

export const TENANT_RECORDS = plainTable('tenant_records');

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

export function toRow<Numbered extends Pick<TenantRecord, 'quota'>>({
  quota,
  ...record
}: Numbered): Omit<Numbered, 'quota'> & TenantQuota {
  return { ...record, ...quota };
}
