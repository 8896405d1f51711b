import type { TenantReads, TenantUsage } from '@catalog/core/ports/tenants';
import type { Run } from './queries.ts';

const USAGE = `SELECT storage_bytes, artifact_count,
    CASE WHEN audit_day = ($2::timestamptz AT TIME ZONE 'UTC')::date THEN audit_count ELSE 0 END
      AS audit_volume_today
  FROM tenant_usage WHERE tenant = $1`;

/** What a tenant uses, from what the writes keep. */
export function tenantUsage(run: Run): TenantReads['usage'] {
  return (tenant, now) =>
    run(tenant, async (queries) => {
      const row = await queries.row<TenantUsage>(USAGE, tenant, now);
      return row ?? { storage_bytes: 0, artifact_count: 0, audit_volume_today: 0 };
    });
}
