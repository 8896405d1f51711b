import type { LockFile, Toggles } from '../lock/types.ts';
import type { CatalogListing } from '../source/catalog-source.ts';
import type { TargetPlan } from './plan-directory.ts';
import type { SyncOptions } from './sync-options.ts';

export function togglesOf(lock: LockFile, options: SyncOptions): Toggles {
  if (!keepsToggles(options)) return { add: [], remove: [] };
  const { toggle } = options;
  if (toggle === undefined) return lock.toggles;
  const { ids, state } = toggle;
  const toggled = new Set(ids);
  const others = {
    add: lock.toggles.add.filter((id) => !toggled.has(id)),
    remove: lock.toggles.remove.filter((id) => !toggled.has(id)),
  };
  if (state === 'enable') return { ...others, add: [...others.add, ...toggled] };
  return state === 'disable' ? { ...others, remove: [...others.remove, ...toggled] } : others;
}

/**
 * Returns toggles that had an effect on the folder, without those that the configuration makes redundant and those of
 * missing artifacts.
 */
export function resetToggles(
  { toggles, targets, artifacts }: LockFile,
  listing: CatalogListing,
  planned: readonly TargetPlan[],
  options: SyncOptions,
): Toggles | undefined {
  if (keepsToggles(options) || toggles.add.length + toggles.remove.length === 0) return undefined;
  const available = new Set(listing.entries.map(({ id }) => id));
  const delivered = new Map(
    planned.map(({ locked, artifacts: own }) => [locked.id, new Set(own.map(({ id }) => id))]),
  );
  // A target that does not run loses its toggles now, and changes with its next run.
  const allRun = targets.every(({ id }) => delivered.has(id));
  const isDropped = (id: string): boolean =>
    artifacts.some((row) => row.id === id && delivered.get(row.target)?.has(id) !== true);
  const isBack = (id: string): boolean =>
    !allRun || planned.some(({ artifacts: own }) => own.some((row) => row.id === id));
  const add = toggles.add.filter((id) => available.has(id) && isDropped(id));
  const remove = toggles.remove.filter((id) => available.has(id) && isBack(id));
  return add.length + remove.length === 0 ? undefined : { add, remove };
}

/** Returns true for runs that keep toggles. `--locked` does, because it follows the lock. */
function keepsToggles({ keep_toggles, locked }: SyncOptions): boolean {
  return keep_toggles === true || locked === true;
}
