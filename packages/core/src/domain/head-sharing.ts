import { parentPath } from '../text/slash-path.ts';
import type { LayerNumber } from '../ports/layer-number.ts';
import { pathAndAbove } from './domain-path.ts';

export interface Holder {
  layer: LayerNumber;
  on_map: boolean;
}

export interface Sharing {
  key: string;
  /** Layers that contain the id, by number. */
  holders: readonly Holder[];
}

export interface OverlapChange {
  path: string;
  layer: LayerNumber;
  sharing: string;
  artifact_count: number;
  recursive_count: number;
}

export interface SharingChanges {
  /** Records a change of an id. `before` and `after` are undefined if fewer than two layers contain it. */
  note(id: string, before: Sharing | undefined, after: Sharing | undefined): void;
  ids(): readonly { id: string; sharing: string | undefined }[];
  uses(): readonly { sharing: Sharing; by: number }[];
  overlaps(): OverlapChange[];
}

export function sharingChanges(): SharingChanges {
  const ids: { id: string; sharing: string | undefined }[] = [];
  const uses = new Map<string, { sharing: Sharing; by: number }>();
  const overlaps = new Map<string, OverlapChange>();

  function add(sharing: Sharing, domain: string, by: number): void {
    const use = uses.get(sharing.key) ?? { sharing, by: 0 };
    use.by += by;
    uses.set(sharing.key, use);
    // The lowest layer needs no row: a view with two of the layers always includes the row of another one.
    for (const { layer } of sharing.holders.slice(1)) {
      for (const path of pathAndAbove(domain)) {
        const change = overlapAt(path, layer, sharing.key);
        change.recursive_count += by;
        if (path === domain) change.artifact_count += by;
      }
    }
  }

  function overlapAt(path: string, layer: LayerNumber, sharing: string): OverlapChange {
    const key = `${sharing} ${layer} ${path}`;
    let change = overlaps.get(key);
    if (change === undefined) {
      change = { path, layer, sharing, artifact_count: 0, recursive_count: 0 };
      overlaps.set(key, change);
    }
    return change;
  }

  return {
    note(id, before, after) {
      if (before?.key === after?.key) return;
      ids.push({ id, sharing: after?.key });
      if (before !== undefined) add(before, parentPath(id), -1);
      if (after !== undefined) add(after, parentPath(id), 1);
    },
    ids: () => ids,
    uses: () => [...uses.values()],
    overlaps: () => [...overlaps.values()],
  };
}

/** Returns how many heads of a shared id a view must subtract: all listed ones of its layers, except the winner's. */
export function surplusOf(
  holders: readonly Holder[],
  ranks: ReadonlyMap<LayerNumber, number>,
): number {
  let winner: Holder | undefined;
  let highest = -1;
  let counted = 0;
  for (const holder of holders) {
    const rank = ranks.get(holder.layer);
    if (rank === undefined) continue;
    counted += Number(holder.on_map);
    if (rank < highest) continue;
    highest = rank;
    winner = holder;
  }
  return counted - Number(winner?.on_map === true);
}
