import { collectSnapshot } from '../layer/collect-snapshot.ts';
import type { LayerSnapshot } from '../layer/types.ts';
import { walkEntries } from '../layer/walk-entries.ts';
import { now } from './clock.ts';
import type { Fingerprint } from './fingerprint.ts';
import { lookAtEntry, readEntry, reasonOf } from './read-entry.ts';
import { openSlab } from './slab.ts';
import { folderListing } from './walk-layer.ts';

/** One entry with what a look at it showed; a later look that shows the same found no change. */
export interface SeenEntry {
  path: string;
  fingerprint: Fingerprint | undefined;
  /** Of a file that changed too shortly before the look for its fingerprint alone to be trusted. */
  hash?: string;
}

/** A layer as it was read, with every entry that took part, in walking order. */
export interface LayerReading {
  snapshot: LayerSnapshot;
  seen: SeenEntry[];
}

/** Reads everything one layer folder holds. What cannot be taken is refused by name, never followed. */
export function readLayer(root: string, layer: string): LayerReading {
  const collector = collectSnapshot(layer);
  const seen: SeenEntry[] = [];
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

/** Looks at everything `readLayer` would read, in the same order, and opens nothing. */
export function lookAtLayer(root: string): SeenEntry[] {
  const seen: SeenEntry[] = [];
  const listing = folderListing(root, () => {});
  walkEntries(listing, (entry) => {
    seen.push({ path: entry.path, fingerprint: lookAtEntry(root, entry) });
  });
  return seen;
}
