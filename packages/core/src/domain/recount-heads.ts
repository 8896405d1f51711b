import { parentPath } from '../text/slash-path.ts';
import type { LayerNumber } from '../ports/layer-number.ts';
import type { CountChanges } from './count-changes.ts';
import { sharingChanges, type Holder, type Sharing, type SharingChanges } from './head-sharing.ts';

/** An id, as it is and as it was counted. */
export interface CountedId {
  id: string;
  /** The layers that hold it now, by their number. */
  holders: readonly Holder[];
  /** Whether the layer at hand counts it as on its map. */
  counted: boolean;
  /** How layers shared it when it was last counted. */
  shared: Sharing | undefined;
}

/** What a recount found to have changed on the map of a layer. */
export interface MapChange {
  appeared: string[];
  gone: string[];
  sharings: SharingChanges;
}

/**
 * Compares ids with what was counted of them for a layer, the heads of `removed` gone. It may be told
 * of any id, and of one twice. What the counts of the layer change by is noted.
 */
export function recountHeads(
  layer: LayerNumber,
  ids: readonly CountedId[],
  removed: ReadonlySet<string>,
  counts: CountChanges,
  keyOf: (holders: readonly Holder[]) => string,
): MapChange {
  const change: MapChange = { appeared: [], gone: [], sharings: sharingChanges() };
  for (const { id, holders, counted, shared } of ids) {
    const held = removed.has(id) ? holders.filter((holder) => holder.layer !== layer) : holders;
    const onMap = held.some((holder) => holder.layer === layer && holder.on_map);
    if (onMap !== counted) {
      change[onMap ? 'appeared' : 'gone'].push(id);
      counts.note(parentPath(id), onMap ? 1 : -1);
    }
    const after = held.length < 2 ? undefined : { key: keyOf(held), holders: held };
    change.sharings.note(id, shared, after);
  }
  return change;
}
