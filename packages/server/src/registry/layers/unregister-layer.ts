import type { UnregisteredLayer } from '@catalog/contract/records/layer';
import { occasionOfCall } from '../occasion.ts';
import type { CallContext, Registry } from '../registry.ts';
import { cancelIngests } from './cancel-ingests.ts';
import { findLayer, requireLayer } from './load-layer.ts';
import { recordLayerChange } from './record-change.ts';
import { toWireLayer } from './to-wire-layer.ts';

/** Also removes the content from every view and cancels the layer's ingests. */
export async function unregisterLayer(
  registry: Registry,
  context: CallContext,
  { id }: { id: string },
): Promise<UnregisteredLayer> {
  const { tenant, caller } = context;
  return registry.store.transaction(async (writes) => {
    const occasion = occasionOfCall(registry, context);
    const stored = requireLayer(caller, 'unregister', {
      id,
      stored: await findLayer(registry, writes.layers, tenant, id),
    });
    const layer = { ...stored, deleted_at: occasion.now.toISOString() };
    await writes.layers.replace(tenant, layer);
    await cancelIngests(writes, tenant, occasion, layer);
    await recordLayerChange(writes, tenant, occasion, {
      action: 'unregister',
      layers: [layer],
      publishes: true,
    });
    return { unregistered: id, layer: toWireLayer(registry, caller, layer) };
  });
}
