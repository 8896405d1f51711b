import { composeLayers } from '@catalog/core/layer/compose-layers';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { LayerStack } from '@catalog/core/ports/versions';

/** The layers whose artifacts may be parents of, or collide with, those of one layer. */
export interface Neighbourhood {
  layer: LayerRecord;
  /** Lowest precedence first; the layer itself among them. */
  layers: readonly LayerRecord[];
  stack: LayerStack;
  rankOf(number: number): number;
  idOf(number: number): string;
}

/**
 * An admin-defined layer has the other admin-defined ones around it: nobody's personal layer can
 * block the organization's, nor be built upon by it (decision 21). A personal layer has those and the
 * other layers of its owner.
 */
export function neighbourhoodOf(layer: LayerRecord, all: readonly LayerRecord[]): Neighbourhood {
  const around = all.filter(
    (other) =>
      other.number === layer.number ||
      !other.user_defined ||
      (layer.user_defined && other.owner === layer.owner),
  );
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
