import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { nearest } from '@catalog/core/text/nearest';
import type { LockFile, Toggles } from '../lock/types.ts';
import type { CatalogListing } from '../source/catalog-source.ts';
import type { SyncOptions } from './sync-options.ts';

/** The toggles a run applies and leaves in the lock. */
export function togglesOf(lock: LockFile, listing: CatalogListing, options: SyncOptions): Toggles {
  if (options.keep_toggles !== true) return { add: [], remove: [] };
  const { toggle } = options;
  if (toggle === undefined) return lock.toggles;
  const others = {
    add: lock.toggles.add.filter((id) => id !== toggle.id),
    remove: lock.toggles.remove.filter((id) => id !== toggle.id),
  };
  if (toggle.state === 'disable') return { ...others, remove: [...others.remove, toggle.id] };
  refuseUnknown(toggle.id, listing);
  return { ...others, add: [...others.add, toggle.id] };
}

function refuseUnknown(id: string, listing: CatalogListing): void {
  const ids = listing.entries.map((entry) => entry.id);
  if (ids.includes(id)) return;
  const near = nearest(id, ids);
  throw new CatalogError('registry.not_found', `There is no artifact ${id} in this registry.`, {
    details: { id },
    ...(near === undefined ? {} : { suggested_action: `Did you mean ${near}?` }),
  });
}
