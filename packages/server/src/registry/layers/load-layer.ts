import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { isLayerAdmin, mayWriteLayer } from '@catalog/core/layer/authorize-layer';
import { isRecoverable } from '@catalog/core/layer/recovery-window';
import type { Caller } from '@catalog/core/layer/visibility';
import type { LayerReads, LayerRecord } from '@catalog/core/ports/layers';
import type { CallContext, Registry } from '../registry.ts';

/** The live layer of an id, for a caller who may write it. */
export async function loadLiveLayer(
  layers: LayerReads,
  { tenant, caller }: CallContext,
  id: string,
): Promise<LayerRecord> {
  const layer = await layers.get(tenant, id);
  return writable(caller, id, layer?.deleted_at === null ? layer : undefined);
}

/** The soft-deleted layer of an id that can still be restored, for a caller who may write it. */
export async function loadRecoverableLayer(
  registry: Registry,
  layers: LayerReads,
  { tenant, caller }: CallContext,
  id: string,
): Promise<LayerRecord> {
  const layer = await layers.get(tenant, id);
  const { layer_recovery_days } = registry.settings;
  const isKept =
    layer !== undefined &&
    layer.deleted_at !== null &&
    isRecoverable(layer.deleted_at, registry.now(), layer_recovery_days);
  return writable(caller, id, isKept ? layer : undefined);
}

/**
 * Administrators learn that a layer is not there. Everybody else gets the same answer for a layer
 * that is not there and for one that is not theirs (decision 8).
 */
function writable(caller: Caller, id: string, layer: LayerRecord | undefined): LayerRecord {
  if (layer !== undefined && mayWriteLayer(caller, layer)) return layer;
  if (!isLayerAdmin(caller)) throw notYours();
  throw new CatalogError('registry.not_found', `There is no such layer: \`${id}\`.`, {
    details: { id },
    suggested_action:
      'Read `GET /v1/layers`; unregistered layers that can be restored are under `?deleted=true`.',
  });
}

export function notYours(): CatalogError {
  return new CatalogError('auth.forbidden', 'You may not write this layer.', {
    suggested_action: 'Ask its owner or an administrator to do this.',
  });
}
