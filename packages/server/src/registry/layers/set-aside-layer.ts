import type { LayerRecord } from '@catalog/core/ports/layers';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { AuditContext } from '../audit-context.ts';
import { cancelIngests } from './cancel-ingests.ts';
import { recordLayerChange } from './record-change.ts';

/** Frees an id for another owner (SPEC-85). The retention sweep purges the content after the recovery window. */
export async function setAsideLayer(
  writes: StoreWrites,
  tenant: Tenant,
  auditContext: AuditContext,
  stored: LayerRecord,
): Promise<void> {
  await cancelIngests(writes, tenant, auditContext, stored);
  await writes.layers.setAside(tenant, stored, auditContext.now.toISOString());
  if (stored.deleted_at !== null) return;
  await recordLayerChange(writes, tenant, auditContext, {
    action: 'unregister',
    layers: [stored],
    publishes: true,
  });
}
