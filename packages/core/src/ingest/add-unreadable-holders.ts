import type { StoredHolder } from './stored-holder.ts';
import type { Rejection } from './types.ts';

type Holders = ReadonlyMap<string, readonly StoredHolder[]>;

/** Adds unreadable artifacts, so that their children report a rejected parent and not a missing one. */
export function addUnreadableHolders(
  stored: Holders,
  rejected: readonly Rejection[],
  rankOf: (layer: string) => number,
): Holders {
  if (rejected.length === 0) return stored;
  const all = new Map(stored);
  for (const { artifact_id, layer } of rejected) {
    const holder: StoredHolder = {
      kind: 'stored',
      layer,
      rank: rankOf(layer),
      live: false,
      overlays: false,
      extendable: true,
      candidates: [],
      artifacts: new Map(),
    };
    all.set(artifact_id, [...(all.get(artifact_id) ?? []), holder]);
  }
  return all;
}
