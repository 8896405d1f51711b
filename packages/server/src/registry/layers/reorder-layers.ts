import type { LayerList } from '@catalog/contract/records/layer';
import { mayWriteLayer } from '@catalog/core/layer/authorize-layer';
import { decideReorder } from '@catalog/core/layer/decide-reorder';
import { occasionOfCall } from '../occasion.ts';
import type { CallContext, Registry } from '../registry.ts';
import { listLive } from './list-layers.ts';
import { recordLayerChange } from './record-change.ts';

/** Gives the named layers the order they are named in; silent where they already have it. */
export async function reorderLayers(
  registry: Registry,
  context: CallContext,
  { order }: { order: readonly string[] },
): Promise<LayerList> {
  const { tenant, caller } = context;
  return registry.store.transaction(async (writes) => {
    const live = await writes.layers.list(tenant);
    const decision = decideReorder(live, order, (layer) => mayWriteLayer(caller, layer));
    if (decision.kind === 'changed') {
      for (const layer of decision.layers) await writes.layers.replace(tenant, layer);
      await recordLayerChange(writes, tenant, occasionOfCall(registry, context), {
        action: 'reorder',
        layers: decision.moved,
        publishes: true,
      });
    }
    return listLive(writes.layers, context);
  });
}
