import { tailOrder } from '@catalog/core/layer/decide-reorder';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { AuditContext } from '../audit-context.ts';
import type { Registry } from '../registry.ts';

type InitialMembers = Pick<
  LayerRecord,
  | 'order'
  | 'created_at'
  | 'deleted_at'
  | 'last_ingested_at'
  | 'last_ingested_ref'
  | 'source_state'
  | 'frozen_since'
  | 'webhook_secret'
  | 'webhook_key'
>;

/** Creates a layer with the highest precedence. An id that is registered again keeps its webhook URL. */
export async function createInitialLayer(
  registry: Registry,
  writes: StoreWrites,
  tenant: Tenant,
  auditContext: AuditContext,
  { id, source_type }: Pick<LayerRecord, 'id' | 'source_type'>,
  stored?: LayerRecord,
): Promise<InitialMembers> {
  const { layers } = writes;
  const kept = [...(await layers.list(tenant)), ...(await layers.listDeleted(tenant))];
  const isGit = source_type === 'git';
  return {
    order: tailOrder(kept.filter((layer) => layer.id !== id)),
    created_at: auditContext.now.toISOString(),
    deleted_at: null,
    last_ingested_at: null,
    last_ingested_ref: null,
    source_state: null,
    frozen_since: null,
    webhook_secret: isGit ? registry.newSecret() : '',
    webhook_key: isGit ? stored?.webhook_key || registry.newId() : '',
  };
}
