import type { TenantReads, TenantUsage } from '@catalog/core/ports/tenants';
import type { Run } from './connection.ts';

const USAGE = `SELECT storage_bytes, artifact_count,
    iif(audit_day = substr(?2, 1, 10), audit_count, 0) AS audit_volume_today
  FROM tenant_usage WHERE tenant = ?1`;

/** What a tenant uses, from what the writes keep. */
export function tenantUsage(run: Run): TenantReads['usage'] {
  return (tenant, now) =>
    run((connection) => {
      const row = connection.statement<TenantUsage>(USAGE).get(tenant, now);
      return row ?? { storage_bytes: 0, artifact_count: 0, audit_volume_today: 0 };
    });
}
