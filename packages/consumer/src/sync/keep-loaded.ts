import { isLoadedBy } from '../lock/loaded-owner.ts';
import type { LockFile } from '../lock/types.ts';
import type { Owner } from './desired-state.ts';
import type { SyncOptions } from './sync-options.ts';

/** What a run delivers to one harness. */
export interface Delivered {
  harness: string;
  artifacts: readonly { id: string }[];
}

/**
 * Which rows of the lock are what an agent loaded and a sync leaves alone (SPEC-45): until the sync
 * delivers the artifact to that harness itself, or a person releases it.
 */
export function keepsLoaded(
  { targets }: Pick<LockFile, 'targets'>,
  delivered: readonly Delivered[],
  release: SyncOptions['release'],
): (owner: Owner) => boolean {
  const harnesses = new Map(targets.map(({ id, harness }) => [id, harness]));
  const taken = new Map<string, Set<string>>();
  for (const { harness, artifacts } of delivered) {
    const ids = taken.get(harness) ?? new Set();
    for (const { id } of artifacts) ids.add(id);
    taken.set(harness, ids);
  }
  return ({ target, id }) => {
    if (!isLoadedBy(target) || isReleased(id, release)) return false;
    return taken.get(harnesses.get(target) ?? '')?.has(id) !== true;
  };
}

function isReleased(id: string, release: SyncOptions['release']): boolean {
  return release !== undefined && (release.ids.length === 0 || release.ids.includes(id));
}
