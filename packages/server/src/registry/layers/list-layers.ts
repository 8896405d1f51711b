import type { LayerList } from '@catalog/contract/records/layer';
import { mayReadLayer } from '@catalog/core/layer/authorize-layer';
import { composeLayers } from '@catalog/core/layer/compose-layers';
import { isRecoverable } from '@catalog/core/layer/recovery-window';
import type { LayerReads } from '@catalog/core/ports/layers';
import type { CallContext, Registry } from '../registry.ts';
import { toWireLayer } from './to-wire-layer.ts';

/** The layers a caller may read, lowest precedence first: the live ones, or those to be restored. */
export async function listLayers(
  registry: Registry,
  context: CallContext,
  { deleted }: { deleted: boolean },
): Promise<LayerList> {
  const { layers } = registry.store;
  return deleted ? listDeleted(registry, context) : listLive(layers, context);
}

/** Also what a reorder answers: the same set, in its new order. */
export async function listLive(
  layers: LayerReads,
  { tenant, caller }: CallContext,
): Promise<LayerList> {
  const live = await layers.list(tenant);
  const readable = live.filter((layer) => mayReadLayer(caller, layer));
  return { layers: composeLayers(readable, { kind: 'open' }).map(toWireLayer) };
}

async function listDeleted(
  registry: Registry,
  { tenant, caller }: CallContext,
): Promise<LayerList> {
  const now = registry.now();
  const days = registry.settings.layer_recovery_days;
  const deleted = await registry.store.layers.listDeleted(tenant);
  const readable = deleted.filter(
    (layer) =>
      mayReadLayer(caller, layer) &&
      layer.deleted_at !== null &&
      isRecoverable(layer.deleted_at, now, days),
  );
  return { layers: composeLayers(readable, { kind: 'open' }).map(toWireLayer) };
}
