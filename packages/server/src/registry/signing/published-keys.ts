import type { StoreReads } from '@catalog/core/ports/store';
import { readKeySet, type KeySet } from '@catalog/core/signing/key-set';
import type { Registry } from '../registry.ts';

/** For this long, a process does not notice the key set that another one published, in milliseconds. */
const CACHED_MS = 1000;

/** Returns the current key set; undefined if the registry has announced no signing. */
export async function loadPublishedKeys({
  key_sets,
}: Pick<StoreReads, 'key_sets'>): Promise<KeySet | undefined> {
  const newest = (await key_sets.list()).at(-1);
  if (newest === undefined) return undefined;
  const set = readKeySet(newest.document);
  if (set === undefined) throw new Error('The stored key set cannot be read.');
  return set;
}

/** Returns the keys that the registry announces; undefined if it does not sign. */
export async function getAnnouncedKeys(registry: Registry): Promise<KeySet | undefined> {
  if (registry.signer === undefined) return undefined;
  const { caches } = registry;
  const now = registry.now().getTime();
  if (caches.keys === undefined || Math.abs(now - caches.keys.read_at) >= CACHED_MS) {
    caches.keys = { read_at: now, set: loadPublishedKeys(registry.store) };
    caches.keys.set.catch(() => {
      caches.keys = undefined;
    });
  }
  const set = await caches.keys.set;
  return set?.signing === 'active' ? set : undefined;
}

/** Header that announces signing, with the version of the key set. */
export const SIGNING_HEADER = 'X-Catalog-Signing';

/** Returns the announcement for the headers of a response. */
export async function announcementHeaders(registry: Registry): Promise<Record<string, string>> {
  const set = await getAnnouncedKeys(registry);
  return set === undefined ? {} : { [SIGNING_HEADER]: String(set.version) };
}
