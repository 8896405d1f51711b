import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { ManagedEntry } from '@catalog/harness/adapter';
import { entryHash } from '@catalog/harness/managed/entry-hash';
import type { Plan } from '@catalog/harness/planned';
import { isLoadedBy } from '../lock/loaded-owner.ts';
import type { LockFile } from '../lock/types.ts';

export interface Owner {
  target: string;
  id: string;
}

export interface DesiredFile {
  bytes: Uint8Array;
  hash: string;
  executable: boolean;
  owners: Owner[];
}

export interface DesiredEntry {
  entry: ManagedEntry;
  owners: Owner[];
}

export interface DesiredState {
  files: Map<string, DesiredFile>;
  /** Entries by shared file and position in it. */
  entries: Map<string, Map<string, DesiredEntry>>;
}

/**
 * Combines the plans of one folder. Equal content of two targets becomes one file with two owners; different content is
 * a conflict (SPEC-45). `carried` are files of targets that do not run.
 */
export function combineDesired(
  plans: readonly { target: string; plan: Plan }[],
  carried: Pick<LockFile, 'files' | 'entries'>,
): DesiredState {
  const state: DesiredState = { files: new Map(), entries: new Map() };
  const reserved = new Map<string, Owner & { hash: string }>();
  for (const row of carried.files) reserved.set(row.path, row);
  for (const row of carried.entries) reserved.set(entryPlace(row.path, row), row);
  for (const { target, plan } of plans) {
    for (const planned of plan.files) addFile(state, planned, target, reserved);
    for (const planned of plan.entries)
      addEntry(state, planned.path, planned.entry, target, reserved);
  }
  return state;
}

/** Content of targets that do not run, by path or by position in a shared file. */
type Reserved = ReadonlyMap<string, Owner & { hash: string }>;

export function entryPlace(
  path: string,
  entry: { container: readonly string[]; key: string },
): string {
  return JSON.stringify([path, ...entry.container, entry.key]);
}

/** Hashes of content, which may be written to several folders. */
const hashes = new WeakMap<Uint8Array, string>();

function hashOf(bytes: Uint8Array): string {
  let hash = hashes.get(bytes);
  if (hash === undefined) {
    hash = bytesHash(bytes);
    hashes.set(bytes, hash);
  }
  return hash;
}

function addFile(
  state: DesiredState,
  planned: Plan['files'][number],
  target: string,
  reserved: Reserved,
): void {
  const owner = { target, id: planned.artifact_id };
  const hash = hashOf(planned.bytes);
  const held = reserved.get(planned.path);
  if (held !== undefined && held.hash !== hash)
    throw clash(planned.path, owner, held, adviceFor(owner, held));
  const present = state.files.get(planned.path);
  if (present === undefined) {
    const { bytes, executable } = planned;
    state.files.set(planned.path, { bytes, hash, executable, owners: [owner] });
    return;
  }
  if (present.hash !== hash || present.executable !== planned.executable) {
    throw clash(planned.path, owner, present.owners[0] ?? owner, APART);
  }
  present.owners.push(owner);
}

function addEntry(
  state: DesiredState,
  path: string,
  entry: ManagedEntry,
  target: string,
  reserved: Reserved,
): void {
  const owner = { target, id: entry.artifact_id };
  const held = reserved.get(entryPlace(path, entry));
  if (held !== undefined && held.hash !== entryHash(entry, path)) {
    throw clash(`${path} (${entry.key})`, owner, held, adviceFor(owner, held));
  }
  let entries = state.entries.get(path);
  if (entries === undefined) {
    entries = new Map();
    state.entries.set(path, entries);
  }
  const place = JSON.stringify([...entry.container, entry.key]);
  const present = entries.get(place);
  if (present === undefined) {
    entries.set(place, { entry, owners: [owner] });
    return;
  }
  if (JSON.stringify(sameFor(present.entry)) !== JSON.stringify(sameFor(entry))) {
    throw clash(`${path} (${entry.key})`, owner, present.owners[0] ?? owner, APART);
  }
  present.owners.push(owner);
}

/** Returns the value that all owners of an entry must share. A member that all entries share has no artifact. */
function sameFor(
  entry: ManagedEntry,
): Omit<ManagedEntry, 'artifact_id'> & { artifact_id?: string } {
  const { artifact_id, ...rest } = entry;
  return entry.if_absent === true ? rest : { ...rest, artifact_id };
}

/** Advice if the other target does not run and has an older version. */
const TOGETHER =
  'Sync both targets in one run: `catalog sync` without `--harness`, `--profile`, or a selection syncs all configured targets.';
/** Advice if an agent loaded one of the two artifacts. */
const RELEASED =
  'Remove artifacts that an agent loaded with `catalog sync --release`, or exclude the artifact from the sync.';

function adviceFor(...owners: Owner[]): string {
  return owners.some(({ target }) => isLoadedBy(target)) ? RELEASED : TOGETHER;
}

/** Advice if both targets run, and their harnesses write the file differently. */
const APART =
  'Set `target` of one of the two targets to a separate folder, or exclude the artifact from one of them.';

function clash(path: string, one: Owner, other: Owner, suggested_action: string): CatalogError {
  return new CatalogError(
    'materialize.clash',
    `${describe(one)} and ${describe(other)} write different content to ${path}.`,
    {
      details: { clashes: [{ path, existing: describe(other), incoming: describe(one) }] },
      suggested_action,
    },
  );
}

function describe(owner: Owner): string {
  return `${owner.id} (target ${owner.target})`;
}
