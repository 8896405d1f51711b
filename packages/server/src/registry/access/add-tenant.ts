import type { StoreWrites } from '@catalog/core/ports/store';
import type { NewTenant, TenantRecord } from '@catalog/core/ports/tenants';
import { buildAuditRecord } from '../audit/build-record.ts';
import type { AuditContext } from '../audit-context.ts';
import { tenantId } from './tenant-id.ts';

export async function addTenant(
  writes: StoreWrites,
  auditContext: AuditContext,
  named: Pick<NewTenant, 'name' | 'quota' | 'expose_scope_preview' | 'extends_parents'>,
): Promise<TenantRecord> {
  const { name } = named;
  const id = tenantId(name);
  const record = buildAuditRecord(auditContext, 'tenant.managed', {
    action: 'create',
    tenant_id: id,
    name,
  });
  const created_at = record.timestamp;
  const created = await writes.tenants.create({ ...named, id, active: true, created_at });
  await writes.audit.append(created.tenant, [record]);
  return created;
}
