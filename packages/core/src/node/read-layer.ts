import { collectSnapshot } from '../layer/collect-snapshot.ts';
import type { LayerSnapshot } from '../layer/types.ts';
import { walkEntries } from '../layer/walk-entries.ts';
import { now } from './clock.ts';
import type { Fingerprint } from './fingerprint.ts';
import { statEntry, readEntry, reasonOf } from './read-entry.ts';
import { openSlab } from './slab.ts';
import { folderListing } from './walk-layer.ts';

/** An entry with a fingerprint; if it is equal later, the entry has not changed. */
export interface FingerprintedEntry {
  path: string;
  fingerprint: Fingerprint | undefined;
  /** Hash of a file that changed so recently that its fingerprint is not reliable. */
  hash?: string;
}

export interface LayerReading {
  snapshot: LayerSnapshot;
  seen: FingerprintedEntry[];
}

/** Reads a layer from a folder. Invalid entries are rejected by name and never followed. */
export function readLayer(root: string, layer: string): LayerReading {
  const collector = collectSnapshot(layer);
  const seen: FingerprintedEntry[] = [];
  const started_at = now();
  const slab = openSlab();
  const listing = folderListing(root, ({ path, package: owner }, cause) => {
    collector.refuse(path === '' ? '.' : path, owner, reasonOf(cause));
  });
  walkEntries(listing, (entry) => {
    const { fingerprint, hash, content } = readEntry(root, entry, slab, started_at);
    seen.push(
      hash === undefined
        ? { path: entry.path, fingerprint }
        : { path: entry.path, fingerprint, hash },
    );
    if (content !== undefined) collector.take(entry, content);
  });
  return { snapshot: collector.finish(), seen };
}

/** Returns the fingerprints of everything that `readLayer` reads, in the same order. Opens no file. */
export function statLayer(root: string): FingerprintedEntry[] {
  const seen: FingerprintedEntry[] = [];
  const listing = folderListing(root, () => {});
  walkEntries(listing, (entry) => {
    seen.push({ path: entry.path, fingerprint: statEntry(root, entry) });
  });
  return seen;
}
