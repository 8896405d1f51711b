import { parentPath } from '../text/slash-path.ts';
import type { LayerNumber } from '../ports/layer-number.ts';
import type { CountChanges } from './count-changes.ts';
import { sharingChanges, type Holder, type Sharing, type SharingChanges } from './head-sharing.ts';

export interface CountedId {
  id: string;
  holders: readonly Holder[];
  counted: boolean;
  shared: Sharing | undefined;
}

export interface MapChange {
  appeared: string[];
  gone: string[];
  sharings: SharingChanges;
}

/**
 * Records changed counts of a layer after ids in `removed` are gone. `ids` may contain duplicates and unchanged ids.
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
