import { compareBytes } from '../artifact/compare-bytes.ts';
import type { Caller } from '../identity/caller.ts';
import { isLayerVisible, type LayerVisibility } from './visibility.ts';

export interface ComposableLayer extends LayerVisibility {
  id: string;
  /** Layers with a lower number compose first. */
  order: number;
  /** A personal layer composes above all organization layers, regardless of `order`. */
  user_defined: boolean;
}

/**
 * Returns visible organization layers by `order`, then visible personal ones, lowest precedence first.
 * Layers with equal numbers are ordered by id, so that every replica returns the same order.
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
