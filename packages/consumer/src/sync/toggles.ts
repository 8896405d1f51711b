import type { LockFile, Toggles } from '../lock/types.ts';
import type { CatalogListing } from '../source/catalog-source.ts';
import type { TargetPlan } from './plan-directory.ts';
import type { SyncOptions } from './sync-options.ts';

/** The toggles a run applies and leaves in the lock. */
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
 * Returns the toggles that a run drops and that decided what the folder holds. A toggle needs no notice
 * if the configuration has caught up with it, or if the registry no longer has its artifact.
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
  // A target that this run leaves alone loses its toggles now, and follows at its next run.
  const allRun = targets.every(({ id }) => delivered.has(id));
  const isDropped = (id: string): boolean =>
    artifacts.some((row) => row.id === id && delivered.get(row.target)?.has(id) !== true);
  const isBack = (id: string): boolean =>
    !allRun || planned.some(({ artifacts: own }) => own.some((row) => row.id === id));
  const add = toggles.add.filter((id) => available.has(id) && isDropped(id));
  const remove = toggles.remove.filter((id) => available.has(id) && isBack(id));
  return add.length + remove.length === 0 ? undefined : { add, remove };
}

/** A plain sync resets the toggles; `--locked` follows the lock, and so keeps them. */
function keepsToggles({ keep_toggles, locked }: SyncOptions): boolean {
  return keep_toggles === true || locked === true;
}
