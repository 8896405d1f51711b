import type { TenantQuota } from '@catalog/core/ports/tenants';

export const QUOTA_MEMBERS = [
  'storage_bytes',
  'search_qps',
  'materialize_rate',
  'audit_volume_per_day',
  'max_user_layers',
] as const satisfies readonly (keyof TenantQuota)[];

export type QuotaPatch = { [Member in keyof TenantQuota]?: number | undefined };

/** Returns the quota with some values replaced (SPEC-34). */
export function mergeQuota(quota: TenantQuota, given: QuotaPatch = {}): TenantQuota {
  const merged = { ...quota };
  for (const member of QUOTA_MEMBERS) merged[member] = given[member] ?? quota[member];
  return merged;
}
