import { compareBytes } from '../artifact/compare-bytes.ts';
import type { Caller } from '../identity/caller.ts';
import { isLayerVisible, type LayerVisibility } from './visibility.ts';

/** A layer, as far as its place in a view depends on it. */
export interface ComposableLayer extends LayerVisibility {
  id: string;
  /** A lower one composes first. */
  order: number;
  /** A personal layer; it composes above every admin-defined one, whatever the numbers. */
  user_defined: boolean;
}

/**
 * The layers of a caller's view, lowest precedence first: the visible admin-defined ones by
 * `order`, then the visible personal ones. A workspace's overlay goes on top of them, on the
 * consumer's side. Equal numbers are told apart by id, so that every replica composes alike.
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
