import { lstatSync } from 'node:fs';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { MAX_FILE_BYTES } from '@catalog/core/layer/collect-snapshot';
import { readRegularFile } from '@catalog/core/node/read-regular-file';
import { editManagedFile, holdsEntry } from '@catalog/harness/managed/edit-managed-file';
import type { AdoptedEntry } from '@catalog/harness/adopt/adopted-entries';
import type { ManagedEntry } from '@catalog/harness/adapter';
import type { OwnedEntry, OwnedFile } from '@catalog/harness/managed/managed-file';
import { uniquePaths } from '@catalog/harness/managed/places';
import { readEntry, type PresentEntry } from '@catalog/harness/managed/present-entries';
import { readFormer, type TakenOver } from '../lock/taken-over.ts';
import type { LockedEntry, LockedPreExisting, LockedShared, LockFile } from '../lock/types.ts';
import type { DesiredEntry, DesiredState, Owner } from './desired-state.ts';
import type { Journal } from './journal.ts';
import type { Claim, Observed } from './reconcile.ts';

/** Planned change of a file with entries of the user and managed ones. */
export interface SharedPlan {
  path: string;
  /** New content; undefined if the file is deleted, because catalog created it and nothing remains. */
  text: string | undefined;
  before: string | undefined;
  mode: number;
  changed: boolean;
  /** True if the user edited the entry; that version is kept. */
  edited: boolean;
  owned: OwnedFile | undefined;
  /** Managed entries before this run, from the lock and the journal of an interrupted run. */
  owned_before?: OwnedFile | undefined;
  entries: LockedEntry[];
  /** Entries with the wanted value that belong to the user. */
  pre_existing: LockedPreExisting[];
  claimed: { at: string[]; claim: Exclude<Claim, 'none'> }[];
  /** Entries with the value from before `--take-over`. */
  put_back: string[][];
}

/** Decides whether an entry of the user becomes managed. */
export type ClaimEntry = (path: string, present: PresentEntry) => Claim;

/** Plans changes of shared files. Only managed entries change. */
export function planSharedFiles(
  directory: string,
  desired: DesiredState['entries'],
  lock: LockFile,
  journal: Journal | undefined,
  isCarried: (owner: Owner) => boolean,
  observe: (path: string) => Observed,
  claims: ClaimEntry = () => 'none',
  taken: readonly TakenOver[] = [],
  adopted: readonly AdoptedEntry[] = [],
): SharedPlan[] {
  const paths = new Set([
    ...desired.keys(),
    ...lock.entries.map((entry) => entry.path),
    ...lock.shared.map((shared) => shared.path),
    ...(journal?.shared.map((shared) => shared.path) ?? []),
  ]);
  return [...paths].map((path) => {
    const wanted = [...(desired.get(path)?.values() ?? [])];
    const ids = wanted.map(({ entry }) => entry.artifact_id);
    const current = readShared(directory, path, ids, observe);
    const carried = withInterruptedHashes(
      lock.entries.filter((entry) => entry.path === path && isCarried(entry)),
      interruptedEntriesIn(path, journal, current),
      current.text,
    );
    const claimed: SharedPlan['claimed'] = [];
    const adopted_entries = adopted.filter((one) => one.path === path).map(({ entry }) => entry);
    for (const entry of adopted_entries) claimed.push({ at: placeIn(entry), claim: 'take-over' });
    const owned = withAdopted(ownedIn(path, lock, journal, current), adopted_entries);
    const former = formerEntries(path, { wanted, carried, owned, taken, current, directory });
    const edit = editManagedFile(
      current.text,
      [...wanted.map((item) => item.entry), ...former],
      owned,
      path,
      carried.map(toOwned),
      (present) => {
        const claim = claims(path, present);
        if (claim === 'none') return false;
        claimed.push({ at: placeIn(present.entry), claim });
        return true;
      },
    );
    const result = { ...edit, owned: withoutEntries(edit.owned, former) };
    const user_entries = new Set(result.pre_existing);
    return {
      path,
      text: result.text,
      before: current.hash,
      mode: current.mode,
      changed: result.changed,
      // A recovered value may not be catalog's, so a copy is kept.
      edited:
        result.edited === true ||
        (result.changed && claimed.some(({ claim }) => claim === 'recover')),
      owned: result.owned,
      owned_before: owned,
      entries: [
        ...toRows(
          path,
          wanted.filter(({ entry }) => !user_entries.has(entry)),
          result.owned,
        ),
        ...carried,
      ],
      pre_existing: wanted
        .filter(({ entry }) => user_entries.has(entry))
        .flatMap(({ entry, owners }) =>
          owners.map((owner) => ({ path, at: placeIn(entry), ...owner })),
        ),
      claimed,
      put_back: former.map(placeIn),
    };
  });
}

interface FormerInput {
  wanted: readonly DesiredEntry[];
  carried: readonly LockedEntry[];
  owned: OwnedFile | undefined;
  taken: readonly TakenOver[];
  current: { text: string | undefined };
  directory: string;
}

/** Returns the user's entries that replace removed managed ones. */
function formerEntries(path: string, input: FormerInput): ManagedEntry[] {
  const { wanted, carried, owned, taken, current, directory } = input;
  const rows = taken.filter((row) => row.path === path && row.at !== undefined);
  if (rows.length === 0 || current.text === undefined) return [];
  const staying = new Set(
    [...wanted.map(({ entry }) => entry), ...carried].map((entry) =>
      JSON.stringify(placeIn(entry)),
    ),
  );
  return (owned?.entries ?? []).flatMap((entry) => {
    const place = JSON.stringify(placeIn(entry));
    const row = rows.find(({ at }) => JSON.stringify(at) === place);
    if (row === undefined || staying.has(place)) return [];
    if (!holdsEntry(current.text ?? '', entry, path)) return [];
    const backup = readFormer(directory, row)?.bytes.toString('utf8');
    const value = backup === undefined ? undefined : readEntry(backup, entry, path);
    if (value === undefined) return [];
    const { shape, container, key, artifact_id } = entry;
    return [{ shape, container, key, artifact_id, value, recorded: 'lock' as const }];
  });
}

function withoutEntries(
  owned: OwnedFile | undefined,
  entries: readonly ManagedEntry[],
): OwnedFile | undefined {
  if (owned === undefined || entries.length === 0) return owned;
  const places = new Set(entries.map((entry) => JSON.stringify(placeIn(entry))));
  const rest = owned.entries.filter((entry) => !places.has(JSON.stringify(placeIn(entry))));
  return rest.length === 0 ? undefined : { ...owned, entries: rest };
}

function placeIn({ container, key }: Pick<ManagedEntry, 'container' | 'key'>): string[] {
  return [...container, key];
}

/** Returns the rows for structure that catalog created in shared files. */
export function sharedRows(plans: readonly Pick<SharedPlan, 'path' | 'owned'>[]): LockedShared[] {
  return plans.flatMap(({ path, owned }) =>
    owned === undefined
      ? []
      : [
          {
            path,
            ...(owned.created_file ? { created_file: true as const } : {}),
            created: owned.created,
            opened: owned.opened,
          },
        ],
  );
}

function readShared(
  directory: string,
  path: string,
  ids: readonly string[],
  observe: (path: string) => Observed,
): { text: string | undefined; hash: string | undefined; mode: number } {
  const observed = observe(path);
  if (observed.kind === 'absent') return { text: undefined, hash: undefined, mode: 0o644 };
  if (observed.kind !== 'file') {
    const what = observed.kind === 'folder' ? 'a folder' : observed.what;
    throw new CatalogError(
      'materialize.target_invalid',
      `Cannot merge into ${path}: it is ${what}.`,
      {
        details: { path },
        suggested_action: `Make ${path} a regular file inside ${directory}, exclude the harness that reads it, or exclude the artifacts that write to it${excluding(ids)}.`,
      },
    );
  }
  const bytes = readRegularFile(`${directory}/${path}`, MAX_FILE_BYTES);
  const { mode } = lstatSync(`${directory}/${path}`);
  return { text: decode(bytes, path), hash: bytesHash(bytes), mode: mode & 0o777 };
}

function excluding(ids: readonly string[]): string {
  const few = [...new Set(ids)];
  if (few.length === 0 || few.length > 3) return ' with --exclude';
  return ` with ${few.map((id) => `--exclude ${id}`).join(' ')}`;
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new CatalogError('materialize.target_invalid', `${path} is not UTF-8 text.`, {
      details: { path },
      cause,
    });
  }
}

/**
 * Returns the rows of files that a run did not change. Entries only in the journal of an interrupted run belong to
 * `target`.
 */
export function formerRows(
  plans: readonly Pick<SharedPlan, 'path' | 'owned_before'>[],
  { lock, target }: { lock: LockFile; target: string },
): Pick<LockFile, 'entries' | 'shared'> {
  const entries = plans.flatMap(({ path, owned_before }) => {
    const rows = lock.entries.filter((entry) => entry.path === path);
    const known = new Set(rows.map(({ container, key }) => JSON.stringify([container, key])));
    const interrupted_entries = (owned_before?.entries ?? [])
      .filter(({ container, key }) => !known.has(JSON.stringify([container, key])))
      .map(({ artifact_id: id, ...entry }) => ({ path, ...entry, target, id }));
    return [...rows, ...interrupted_entries];
  });
  const shared = plans.flatMap(({ path, owned_before: owned }) =>
    owned === undefined
      ? lock.shared.filter((row) => row.path === path)
      : sharedRows([{ path, owned }]),
  );
  return { entries, shared };
}

/** Returns the managed entries of a file, with those of an interrupted run. */
function ownedIn(
  path: string,
  lock: LockFile,
  journal: Journal | undefined,
  current: { text: string | undefined; hash: string | undefined },
): OwnedFile | undefined {
  const interrupted_entries = interruptedEntriesIn(path, journal, current);
  const shared = lock.shared.find((row) => row.path === path);
  const rows = lock.entries.filter((entry) => entry.path === path);
  if (shared === undefined && rows.length === 0) return interrupted_entries;
  return {
    created_file: shared?.created_file === true || interrupted_entries?.created_file === true,
    created: uniquePaths([...(shared?.created ?? []), ...(interrupted_entries?.created ?? [])]),
    opened: uniquePaths([...(shared?.opened ?? []), ...(interrupted_entries?.opened ?? [])]),
    entries: uniqueEntries([...rows.map(toOwned), ...(interrupted_entries?.entries ?? [])]),
  };
}

/**
 * Returns entries of interrupted runs. If the user edited the file since, only entries with exactly the written value
 * are managed.
 */
function interruptedEntriesIn(
  path: string,
  journal: Journal | undefined,
  { text, hash }: { text: string | undefined; hash: string | undefined },
): OwnedFile | undefined {
  const cut = journal?.shared.find((shared) => shared.path === path);
  if (cut === undefined) return undefined;
  if (cut.before === hash) return cut.owned_before;
  if (text === undefined || cut.after === hash) return cut.owned;
  const interrupted_entries = cut.owned ?? cut.owned_before;
  const all = [...(cut.owned_before?.entries ?? []), ...(cut.owned?.entries ?? [])];
  const entries = uniqueEntries(all.filter((entry) => holdsEntry(text, entry, path)));
  return interrupted_entries === undefined || entries.length === 0
    ? undefined
    : { ...interrupted_entries, entries };
}

/** Returns the rows that stay, with the values that an interrupted run may have written. */
function withInterruptedHashes(
  rows: readonly LockedEntry[],
  interrupted_entries: OwnedFile | undefined,
  text: string | undefined,
): LockedEntry[] {
  const places = new Map(
    interrupted_entries?.entries.map((entry) => [JSON.stringify(placeIn(entry)), entry]),
  );
  return rows.map((row) => {
    const written = places.get(JSON.stringify(placeIn(row)));
    const isThere =
      written !== undefined && text !== undefined && holdsEntry(text, written, row.path);
    return isThere ? { ...row, hash: written.hash } : row;
  });
}

/** Removes repeated entries; the last one at each position stays. */
function uniqueEntries(entries: readonly OwnedEntry[]): OwnedEntry[] {
  const places = entries.map((entry): [string, OwnedEntry] => [
    JSON.stringify([entry.container, entry.key]),
    entry,
  ]);
  return [...new Map(places).values()];
}

/** Adds entries to replace, so that no hook or server runs twice. */
function withAdopted(
  owned: OwnedFile | undefined,
  adopted: readonly OwnedEntry[],
): OwnedFile | undefined {
  if (adopted.length === 0) return owned;
  const { created_file = false, created = [], opened = [], entries = [] } = owned ?? {};
  return { created_file, created, opened, entries: [...entries, ...adopted] };
}

function toOwned({ shape, container, key, hash, id }: LockedEntry): OwnedEntry {
  return { shape, container, key, hash, artifact_id: id };
}

function toRows(
  path: string,
  wanted: readonly DesiredEntry[],
  owned: OwnedFile | undefined,
): LockedEntry[] {
  const hashes = new Map(
    owned?.entries.map((entry) => [JSON.stringify([entry.container, entry.key]), entry.hash]),
  );
  return wanted.flatMap(({ entry, owners }) => {
    const hash = hashes.get(JSON.stringify([entry.container, entry.key]));
    // The user's own member has the wanted value, so nothing is managed.
    if (hash === undefined) return [];
    const { shape, container, key } = entry;
    return owners.map((owner) => ({ path, shape, container: [...container], key, hash, ...owner }));
  });
}
