import type { LayerList } from '@catalog/contract/records/layer';
import { authorize } from '@catalog/core/authorize';
import { decideReorder } from '@catalog/core/layer/decide-reorder';
import type { LayerRecord } from '@catalog/core/ports/layers';
import { requireLayerConfigUnfrozen } from '../freeze/require-unfrozen.ts';
import { requireAuditVolume } from '../access/require-audit-volume.ts';
import { callAuditContext } from '../audit-context.ts';
import type { CallContext, Registry } from '../registry.ts';
import { listLive } from './list-layers.ts';
import { recordLayerChange } from './record-change.ts';

export async function reorderLayers(
  registry: Registry,
  context: CallContext,
  { order }: { order: readonly string[] },
): Promise<LayerList> {
  const { tenant, caller } = context;
  return registry.store.transaction(async (writes) => {
    const live = await writes.layers.list(tenant);
    const isWritable = (stored: LayerRecord): boolean =>
      authorize(caller, 'reorder', { stored }).kind === 'admitted';
    const decision = decideReorder(live, order, isWritable);
    if (decision.kind === 'changed') {
      await requireLayerConfigUnfrozen(registry, writes.freezes, tenant);
      await requireAuditVolume(registry, writes.tenants, tenant);
      for (const layer of decision.layers) await writes.layers.replace(tenant, layer);
      await recordLayerChange(writes, tenant, callAuditContext(registry, context), {
        action: 'reorder',
        layers: decision.moved,
        publishes: true,
      });
    }
    return listLive(registry, writes.layers, context);
  });
}
