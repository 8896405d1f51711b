import type { LockFile, Toggles } from '../lock/types.ts';
import type { CatalogListing } from '../source/catalog-source.ts';
import { refuseUnknown } from './refuse-unknown.ts';
import type { SyncOptions } from './sync-options.ts';

/** The toggles a run applies and leaves in the lock. */
export function togglesOf(lock: LockFile, listing: CatalogListing, options: SyncOptions): Toggles {
  if (!keepsToggles(options)) return { add: [], remove: [] };
  const { toggle } = options;
  if (toggle === undefined) return lock.toggles;
  const { ids, state } = toggle;
  if (state !== 'forget') refuseUnknown(ids, listing, lock);
  const toggled = new Set(ids);
  const others = {
    add: lock.toggles.add.filter((id) => !toggled.has(id)),
    remove: lock.toggles.remove.filter((id) => !toggled.has(id)),
  };
  if (state === 'enable') return { ...others, add: [...others.add, ...toggled] };
  return state === 'disable' ? { ...others, remove: [...others.remove, ...toggled] } : others;
}

/** A plain sync resets the toggles; `--locked` follows the lock, and so keeps them. */
function keepsToggles({ keep_toggles, locked }: SyncOptions): boolean {
  return keep_toggles === true || locked === true;
}
