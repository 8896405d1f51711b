import type { RestoredLayer } from '@catalog/contract/records/layer';
import { refuseHostPath } from '@catalog/core/layer/authorize-layer';
import { requestIngest } from '../ingest/request-ingest.ts';
import { occasionOfCall } from '../occasion.ts';
import type { CallContext, Registry } from '../registry.ts';
import { loadRecoverableLayer } from './load-layer.ts';
import { recordLayerChange } from './record-change.ts';
import { toWireLayer } from './to-wire-layer.ts';

/** Brings a soft-deleted layer and what it served back, as long as the recovery window is open. */
export async function restoreLayer(
  registry: Registry,
  context: CallContext,
  { id }: { id: string },
): Promise<RestoredLayer> {
  const { tenant } = context;
  return registry.store.transaction(async (writes) => {
    const occasion = occasionOfCall(registry, context);
    const stored = await loadRecoverableLayer(registry, writes.layers, context, id);
    refuseHostPath(context.caller, stored);
    const layer = { ...stored, deleted_at: null };
    await writes.layers.replace(tenant, layer);
    await recordLayerChange(writes, tenant, occasion, {
      action: 'restore',
      layers: [layer],
      publishes: true,
    });
    // Nothing was read while it was away; what was pushed meanwhile is read now.
    await requestIngest(registry, writes, tenant, {
      layer_id: id,
      full: false,
      trigger: 'restore',
    });
    return { restored: id, layer: toWireLayer(layer) };
  });
}
