import type { LockFile, Toggles } from '../lock/types.ts';
import type { CatalogListing } from '../source/catalog-source.ts';
import { refuseUnknown } from './refuse-unknown.ts';
import type { SyncOptions } from './sync-options.ts';

/** The toggles a run applies and leaves in the lock. */
export function togglesOf(lock: LockFile, listing: CatalogListing, options: SyncOptions): Toggles {
  if (options.keep_toggles !== true && options.locked !== true) return { add: [], remove: [] };
  const { toggle } = options;
  if (toggle === undefined) return lock.toggles;
  refuseUnknown([toggle.id], listing, lock);
  const others = {
    add: lock.toggles.add.filter((id) => id !== toggle.id),
    remove: lock.toggles.remove.filter((id) => id !== toggle.id),
  };
  if (toggle.state === 'disable') return { ...others, remove: [...others.remove, toggle.id] };
  return { ...others, add: [...others.add, toggle.id] };
}
