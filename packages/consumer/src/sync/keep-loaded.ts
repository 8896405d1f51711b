import { isLoadedBy } from '../lock/loaded-owner.ts';
import type { LockFile } from '../lock/types.ts';
import type { Owner } from './desired-state.ts';
import type { SyncOptions } from './sync-options.ts';

export interface Delivered {
  harness: string;
  artifacts: readonly { id: string }[];
}

/**
 * Returns a check for loaded artifacts, which a sync keeps (SPEC-45) until it delivers them to the same harness, or the
 * user releases them.
 */
export function keepsLoaded(
  { targets }: Pick<LockFile, 'targets'>,
  delivered: readonly Delivered[],
  release: SyncOptions['release'],
): (owner: Owner) => boolean {
  const harnesses = new Map(targets.map(({ id, harness }) => [id, harness]));
  const delivered_ids = new Map<string, Set<string>>();
  for (const { harness, artifacts } of delivered) {
    const ids = delivered_ids.get(harness) ?? new Set();
    for (const { id } of artifacts) ids.add(id);
    delivered_ids.set(harness, ids);
  }
  return ({ target, id }) => {
    if (!isLoadedBy(target) || isReleased(id, release)) return false;
    return delivered_ids.get(harnesses.get(target) ?? '')?.has(id) !== true;
  };
}

function isReleased(id: string, release: SyncOptions['release']): boolean {
  return release !== undefined && (release.ids.length === 0 || release.ids.includes(id));
}
