import { compareBytes } from '../artifact/compare-bytes.ts';
import type { Caller } from '../identity/caller.ts';
import { isLayerVisible, type LayerVisibility } from './visibility.ts';

export interface ComposableLayer extends LayerVisibility {
  id: string;
  /** Position of the layer; the lowest number has the lowest precedence. */
  order: number;
  /** True for a personal layer, which has precedence over all layers of the organization. */
  user_defined: boolean;
}

/**
 * Orders visible layers, lowest precedence first: those of the organization by `order`, then personal ones. Equal
 * numbers are ordered by id, so that all replicas agree.
 */
export function composeLayers<Layer extends ComposableLayer>(
  layers: readonly Layer[],
  caller: Caller,
): Layer[] {
  return layers
    .filter((layer) => isLayerVisible(layer, caller).visible)
    .sort(
      (a, b) =>
        Number(a.user_defined) - Number(b.user_defined) ||
        a.order - b.order ||
        compareBytes(a.id, b.id),
    );
}
