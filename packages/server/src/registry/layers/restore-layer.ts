import type { RestoredLayer } from '@catalog/contract/records/layer';
import { requireAuditVolume } from '../access/require-audit-volume.ts';
import { requestIngest } from '../ingest/request-ingest.ts';
import { occasionOfCall } from '../occasion.ts';
import type { CallContext, Registry } from '../registry.ts';
import { hostPathAuthority } from './declared-sources.ts';
import { findLayer, requireLayer } from './load-layer.ts';
import { recordLayerChange } from './record-change.ts';
import { requireLayerPlace } from './require-layer-place.ts';
import { toWireLayer } from './to-wire-layer.ts';
import { withinArtifactCount } from './within-artifact-count.ts';

/** Brings a soft-deleted layer and what it served back, as long as the recovery window is open. */
export async function restoreLayer(
  registry: Registry,
  context: CallContext,
  { id }: { id: string },
): Promise<RestoredLayer> {
  const { tenant, caller } = context;
  return registry.store.transaction(async (writes) => {
    const occasion = occasionOfCall(registry, context);
    const found = await findLayer(registry, writes.layers, tenant, id);
    const host_paths = hostPathAuthority(registry, tenant, found);
    const stored = requireLayer(caller, 'restore', { id, stored: found, host_paths });
    await requireAuditVolume(registry, writes.tenants, tenant);
    const layer = { ...stored, deleted_at: null };
    await withinArtifactCount(registry, writes.tenants, tenant, () =>
      writes.layers.replace(tenant, layer),
    );
    await requireLayerPlace(registry, writes, tenant, layer, stored);
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
    return { restored: id, layer: toWireLayer(registry, caller, layer) };
  });
}
