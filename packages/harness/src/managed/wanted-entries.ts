import type { ManagedEntry } from '../adapter.ts';
import { jsonHash } from '@catalog/core/canonical-json';
import type { OwnedEntry } from './managed-file.ts';
import { placeOf } from './places.ts';
import { duplicateEntry } from './refusals.ts';

/** Returns desired entries by place. Rejects two artifacts with different entries in one place. */
export function wantedByPlace<Entry extends ManagedEntry>(
  desired: readonly Entry[],
  file: string,
): Map<string, Entry> {
  const wanted = new Map<string, Entry>();
  for (const entry of desired) {
    const other = wanted.get(placeOf(entry));
    if (other !== undefined && !isSameNeed(entry, other)) throw duplicateEntry(file, entry, other);
    wanted.set(placeOf(entry), entry);
  }
  return wanted;
}

function isSameNeed(entry: ManagedEntry, other: ManagedEntry): boolean {
  return entry.if_absent === true && jsonHash(entry.value) === jsonHash(other.value);
}

export function withoutPresent(
  desired: readonly ManagedEntry[],
  ours: readonly OwnedEntry[],
  isThere: (entry: ManagedEntry) => boolean,
): ManagedEntry[] {
  const places = new Set(ours.map(placeOf));
  return desired.filter(
    (entry) => entry.if_absent !== true || places.has(placeOf(entry)) || !isThere(entry),
  );
}

export function toOwned({ shape, container, key, artifact_id, value }: ManagedEntry): OwnedEntry {
  return { shape, container: [...container], key, artifact_id, hash: jsonHash(value) };
}

export interface EntryInFile {
  container: readonly string[];
  key: string;
  hash: string;
}

export function losesEdit(
  found: readonly EntryInFile[],
  wanted: ReadonlyMap<string, ManagedEntry>,
  owned: readonly OwnedEntry[],
  kept: ReadonlySet<string>,
): boolean {
  const left = new Map(owned.map((entry) => [placeOf(entry), entry.hash]));
  return found.some((entry) => {
    const place = placeOf(entry);
    const hash = left.get(place);
    if (hash === undefined || entry.hash === hash) return false;
    const want = wanted.get(place);
    // A kept entry is replaced if it is also desired.
    return want === undefined ? !kept.has(place) : entry.hash !== jsonHash(want.value);
  });
}
