import type { LayerList } from '@catalog/contract/records/layer';
import { authorize } from '@catalog/core/authorize';
import type { Caller } from '@catalog/core/identity/caller';
import { composeLayers } from '@catalog/core/layer/compose-layers';
import type { LayerVisibility } from '@catalog/core/layer/visibility';
import type { LayerReads, LayerRecord } from '@catalog/core/ports/layers';
import type { CallContext, Registry } from '../registry.ts';
import { isInWindow } from './load-layer.ts';
import { toWireLayer } from './to-wire-layer.ts';

/** The layers a caller may read, lowest precedence first: the live ones, or those to be restored. */
export async function listLayers(
  registry: Registry,
  context: CallContext,
  { deleted }: { deleted: boolean },
): Promise<LayerList> {
  return deleted
    ? listDeleted(registry, context)
    : listLive(registry, registry.store.layers, context);
}

/** Also what a reorder answers: the same set, in its new order. */
export async function listLive(
  registry: Registry,
  layers: LayerReads,
  { tenant, caller }: CallContext,
): Promise<LayerList> {
  const live = await layers.list(tenant);
  const readable = live.filter((layer) => isListed(caller, layer));
  return toList(registry, caller, readable);
}

/** Whether a caller finds a layer in a listing. */
export function isListed(caller: Caller, stored: LayerVisibility): boolean {
  return authorize(caller, 'list', { stored }).kind === 'admitted';
}

function toList(registry: Registry, caller: Caller, layers: readonly LayerRecord[]): LayerList {
  const ordered = composeLayers(layers, { kind: 'open' });
  return { layers: ordered.map((layer) => toWireLayer(registry, caller, layer)) };
}

async function listDeleted(
  registry: Registry,
  { tenant, caller }: CallContext,
): Promise<LayerList> {
  const deleted = await registry.store.layers.listDeleted(tenant);
  const readable = deleted.filter(
    (layer) => isListed(caller, layer) && isInWindow(registry, layer),
  );
  return toList(registry, caller, readable);
}
