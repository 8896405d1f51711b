import type { UnregisteredLayer } from '@catalog/contract/records/layer';
import { callAuditContext } from '../audit-context.ts';
import type { CallContext, Registry } from '../registry.ts';
import { cancelIngests } from './cancel-ingests.ts';
import { findLayer, requireLayer } from './load-layer.ts';
import { recordLayerChange } from './record-change.ts';
import { toWireLayer } from './to-wire-layer.ts';

/** Unregisters a layer, removes its content from every view, and cancels its ingests. */
export async function unregisterLayer(
  registry: Registry,
  context: CallContext,
  { id }: { id: string },
): Promise<UnregisteredLayer> {
  const { tenant, caller } = context;
  return registry.store.transaction(async (writes) => {
    const auditContext = callAuditContext(registry, context);
    const stored = requireLayer(caller, 'unregister', {
      id,
      stored: await findLayer(registry, writes.layers, tenant, id),
    });
    const layer = { ...stored, deleted_at: auditContext.now.toISOString() };
    await writes.layers.replace(tenant, layer);
    await cancelIngests(writes, tenant, auditContext, layer);
    await recordLayerChange(writes, tenant, auditContext, {
      action: 'unregister',
      layers: [layer],
      publishes: true,
    });
    return { unregistered: id, layer: toWireLayer(registry, caller, layer) };
  });
}
