import type { Caller } from '@catalog/core/identity/caller';
import { composeLayers } from '@catalog/core/layer/compose-layers';
import { isLayerVisible } from '@catalog/core/layer/visibility';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { LayerStack } from '@catalog/core/ports/versions';
import type { LayerNumber } from '@catalog/core/ports/layer-number';

/** Layers whose artifacts can be parents of, or collide with, those of one layer. */
export interface RelatedLayers {
  layer: LayerRecord;
  /** Layers, lowest precedence first, including the layer itself. */
  layers: readonly LayerRecord[];
  stack: LayerStack;
  rankOf(number: LayerNumber): number;
  idOf(number: LayerNumber): string;
}

/**
 * Returns the related layers. For a layer of administrators, these are all such layers, so that a personal layer can
 * neither block nor be extended by them (SPEC-21). For a personal layer, these are the other layers its owner sees, so
 * that `extends` reveals nothing hidden.
 */
export function relatedLayersOf(
  layer: LayerRecord,
  all: readonly LayerRecord[],
  owner: Caller,
): RelatedLayers {
  const around = all.filter((other) => {
    if (other.number === layer.number) return true;
    if (!layer.user_defined) return !other.user_defined;
    return other.user_defined ? other.owner === layer.owner : isLayerVisible(other, owner).visible;
  });
  const layers = composeLayers(around, { kind: 'open' });
  const ranks = new Map(layers.map(({ number }, rank) => [number, rank]));
  const ids = new Map(layers.map(({ number, id }) => [number, id]));
  return {
    layer,
    layers,
    stack: layers.map(({ number }) => number),
    rankOf: (number) => ranks.get(number) ?? 0,
    idOf: (number) => ids.get(number) ?? '',
  };
}
