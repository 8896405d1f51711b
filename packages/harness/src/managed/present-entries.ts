import type { Json } from '@catalog/core/json';
import type { ManagedEntry } from '../adapter.ts';
import type { EntryReader, ReadEntries } from './entry-reader.ts';
import { entryHash } from './entry-hash.ts';
import { formatOf, type ManagedFormat } from './format-of.ts';
import { jsonHash } from '@catalog/core/canonical-json';
import { readJsonEntries } from './json/read-entries.ts';
import type { OwnedEntry } from './managed-file.ts';
import { readMarkdownEntries } from './markdown/read-entries.ts';
import { isSamePath, placeOf } from './places.ts';
import { readTomlEntries } from './toml/read-entries.ts';
import { readYamlEntries } from './yaml/read-entries.ts';

/** Desired entry whose place has an entry that is not managed. */
export interface PresentEntry {
  entry: ManagedEntry;
  hash: string;
  equal: boolean;
  /** True if the entry has a mark that only catalog writes. */
  marked: boolean;
}

const READERS: Readonly<Record<ManagedFormat, ReadEntries>> = {
  json: readJsonEntries,
  toml: readTomlEntries,
  yaml: readYamlEntries,
  markdown: readMarkdownEntries,
};

export function findPresent(
  text: string,
  desired: readonly ManagedEntry[],
  ours: readonly OwnedEntry[],
  file: string,
): PresentEntry[] {
  const places = new Set(ours.map(placeOf));
  // Members with `if_absent` cannot clash.
  const candidates = desired.filter(
    (entry) => entry.if_absent !== true && (entry.shape === 'array' || !places.has(placeOf(entry))),
  );
  if (candidates.length === 0) return [];
  const reader = READERS[formatOf(file)](text, file);
  const unclaimed = unclaimedElements(reader, ours);
  return candidates.flatMap((entry) => {
    const found = entry.shape === 'array' ? unclaimed(entry, file) : readExisting(reader, entry);
    if (found === undefined) return [];
    const equal = found.hash === entryHash(entry, file);
    return [{ entry, ...found, equal }];
  });
}

export function readEntry(
  text: string,
  { shape, container, key, hash }: Pick<OwnedEntry, 'shape' | 'container' | 'key' | 'hash'>,
  file: string,
): Json | undefined {
  const reader = READERS[formatOf(file)](text, file);
  if (shape === 'map') return reader.member(container, key);
  if (shape === 'block') return reader.block(key);
  const elements = reader.elements(container);
  return elements.find(({ tag, value }) => tag === key || jsonHash(value) === hash)?.value;
}

type Found = Pick<PresentEntry, 'hash' | 'marked'>;

interface FoundElement extends Found {
  tag: string | undefined;
}

function readExisting(
  reader: EntryReader,
  { shape, container, key }: ManagedEntry,
): Found | undefined {
  const value = shape === 'map' ? reader.member(container, key) : reader.block(key);
  if (value === undefined) return undefined;
  return { hash: jsonHash(value), marked: shape === 'block' };
}

/** Finds elements that are not managed: a marked one by its id, any other by its value. */
function unclaimedElements(
  reader: EntryReader,
  ours: readonly OwnedEntry[],
): (entry: ManagedEntry, file: string) => Found | undefined {
  const lists = new Map<string, FoundElement[]>();
  const kept = new Set<string>();

  function listAt(container: readonly string[]): FoundElement[] {
    const name = JSON.stringify(container);
    const known = lists.get(name);
    if (known !== undefined) return known;
    const owned = ours.filter(
      (row) => row.shape === 'array' && isSamePath(row.container, container),
    );
    const rest = reader.elements(container).map(({ value, tag }) => ({
      hash: jsonHash(value),
      marked: tag !== undefined,
      tag,
    }));
    for (const row of owned) {
      const same = rest.findIndex(({ hash }) => hash === row.hash);
      const index = same === -1 ? rest.findIndex(({ tag }) => tag === row.key) : same;
      if (index === -1) continue;
      rest.splice(index, 1);
      kept.add(placeOf(row));
    }
    lists.set(name, rest);
    return rest;
  }

  return (entry, file) => {
    const rest = listAt(entry.container);
    if (kept.has(placeOf(entry))) return undefined;
    const wanted = entryHash(entry, file);
    const index = rest.findIndex(({ tag, hash }) =>
      tag === undefined ? hash === wanted : tag === entry.key,
    );
    const found = index === -1 ? undefined : rest.splice(index, 1)[0];
    return found === undefined ? undefined : { hash: found.hash, marked: found.marked };
  };
}
