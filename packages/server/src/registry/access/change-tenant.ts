import type { StoreWrites } from '@catalog/core/ports/store';
import type { TenantRecord } from '@catalog/core/ports/tenants';
import { buildAuditRecord } from '../audit/build-record.ts';
import type { AuditContext } from '../audit-context.ts';
import { mergeQuota, QUOTA_MEMBERS, type QuotaPatch } from './merge-quota.ts';

export interface TenantPatch {
  quota?: QuotaPatch | undefined;
  expose_scope_preview?: boolean | null | undefined;
  extends_parents?: TenantRecord['extends_parents'] | undefined;
  active?: boolean | undefined;
}

/** Changes settings of a tenant. Does nothing if all values are equal. */
export async function changeTenant(
  writes: StoreWrites,
  auditContext: AuditContext,
  stored: TenantRecord,
  {
    quota,
    expose_scope_preview = stored.expose_scope_preview,
    extends_parents = stored.extends_parents,
    active = stored.active,
  }: TenantPatch,
): Promise<TenantRecord> {
  const changed = {
    ...stored,
    quota: mergeQuota(stored.quota, quota),
    expose_scope_preview,
    extends_parents,
    active,
  };
  const fields = changedFields(stored, changed);
  if (fields.length === 0) return stored;
  await writes.tenants.replace(changed);
  await writes.audit.append(stored.tenant, [
    buildAuditRecord(auditContext, 'tenant.managed', {
      action: stored.active && !active ? 'deactivate' : 'update',
      tenant_id: stored.id,
      name: stored.name,
      fields,
    }),
  ]);
  return changed;
}

/** Returns the names of changed fields, such as `quota.search_qps` or `active`. */
function changedFields(before: TenantRecord, after: TenantRecord): string[] {
  const quota = QUOTA_MEMBERS.filter((key) => before.quota[key] !== after.quota[key]);
  const others = (['expose_scope_preview', 'extends_parents', 'active'] as const).filter(
    (member) => before[member] !== after[member],
  );
  return [...quota.map((key) => `quota.${key}`), ...others];
}
