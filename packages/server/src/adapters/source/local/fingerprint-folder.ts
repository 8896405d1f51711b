import { setImmediate as nextTurn } from 'node:timers/promises';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { keyOf, type LayerEntry } from '@catalog/core/layer/place-entries';
import { openWalk } from '@catalog/core/layer/walk-entries';
import { sameFingerprint, type Fingerprint } from '@catalog/core/node/fingerprint';
import { statEntry, reasonOf } from '@catalog/core/node/read-entry';
import { folderListing } from '@catalog/core/node/walk-layer';

export interface FingerprintedEntry {
  entry: LayerEntry;
  fingerprint: Fingerprint | undefined;
  /** True if a file changed so shortly before the read that a later change may go undetected. */
  racy: boolean;
}

export interface UnreadableFolder {
  path: string;
  artifact_id: string | undefined;
  reason: string;
}

/** Fingerprint of a folder from metadata, without opening any file. */
export interface FolderFingerprint {
  entries: ReadonlyMap<string, FingerprintedEntry>;
  unreadable: ReadonlyMap<string, UnreadableFolder>;
}

const FOLDERS_PER_STEP = 50;

export function fingerprintFolder(root: string, signal: AbortSignal): Promise<FolderFingerprint> {
  return walkFolder(
    root,
    (entry) => ({ entry, fingerprint: statEntry(root, entry), racy: false }),
    signal,
  );
}

export async function walkFolder(
  root: string,
  visit: (entry: LayerEntry) => FingerprintedEntry,
  signal: AbortSignal,
): Promise<FolderFingerprint> {
  const entries = new Map<string, FingerprintedEntry>();
  const unreadable = new Map<string, UnreadableFolder>();
  const listing = folderListing(root, ({ path, package: artifact_id }, cause) => {
    const place = path === '' ? '.' : path;
    unreadable.set(place, { path: place, artifact_id, reason: reasonOf(cause) });
  });
  const walk = openWalk(listing, (entry) => {
    entries.set(entry.path, visit(entry));
  });
  for (let steps = 1; walk.step(); steps += 1) {
    if (steps % FOLDERS_PER_STEP !== 0) continue;
    await nextTurn();
    signal.throwIfAborted();
  }
  return { entries, unreadable };
}

/** Lists the keys that differ between two fingerprints, and those whose changes may be undetected. */
export function changedKeys(before: FolderFingerprint, after: FolderFingerprint): Set<string> {
  const changed = new Set<string>();
  for (const [path, old] of before.entries) {
    const now = after.entries.get(path);
    if (now !== undefined && !old.racy && hasSameFingerprint(old, now)) continue;
    changed.add(keyOf(old.entry));
    if (now !== undefined) changed.add(keyOf(now.entry));
  }
  for (const [path, { entry }] of after.entries) {
    if (!before.entries.has(path)) changed.add(keyOf(entry));
  }
  for (const [path, { artifact_id }] of [...before.unreadable, ...after.unreadable]) {
    if (before.unreadable.has(path) !== after.unreadable.has(path))
      changed.add(artifact_id ?? path);
  }
  return changed;
}

function hasSameFingerprint(a: FingerprintedEntry, b: FingerprintedEntry): boolean {
  return (
    a.entry.package === b.entry.package &&
    a.entry.collides_with === b.entry.collides_with &&
    a.entry.kind === b.entry.kind &&
    sameFingerprint(a.fingerprint, b.fingerprint)
  );
}

const LINES_PER_HASH = 1000;

export function digestOf({ entries, unreadable }: FolderFingerprint): string {
  let digest = bytesHash([...unreadable.keys()].join('\n'));
  let lines: string[] = [];
  for (const { entry, fingerprint } of entries.values()) {
    const { path, kind, package: owner = '', collides_with = '' } = entry;
    const marks = [path, kind, owner, collides_with, ...Object.values(fingerprint ?? {})];
    lines.push(marks.join('\0'));
    if (lines.length < LINES_PER_HASH) continue;
    digest = bytesHash(`${digest}\n${lines.join('\n')}`);
    lines = [];
  }
  return bytesHash(`${digest}\n${lines.join('\n')}`);
}
