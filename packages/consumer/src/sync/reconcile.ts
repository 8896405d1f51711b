import type { Fingerprint } from '@catalog/core/node/fingerprint';
import { parentPath } from '@catalog/core/text/slash-path';
import type { DesiredFile } from './desired-state.ts';

/** State of a path on disk. */
export type Observed =
  | { kind: 'absent' }
  | { kind: 'file'; hash: string; executable: boolean; fingerprint: Fingerprint }
  /** A folder; `paths` are the files and empty folders below it. */
  | { kind: 'folder'; paths: string[] }
  | { kind: 'other'; what: string };

/** Hash of a file, with a fingerprint that detects later changes. */
export interface SeenFile {
  fingerprint: Fingerprint;
  hash: string;
}

/** Desired and managed files of a folder, with functions that read the disk. */
export interface ReconcileInput {
  desired: ReadonlyMap<string, DesiredFile>;
  owned: ReadonlyMap<string, ReadonlySet<string>>;
  carried: ReadonlySet<string>;
  claims: (path: string) => Claim;
  observe(path: string): Observed;
}

/**
 * Why a file of unknown origin may be replaced. `take-over`: the user agreed. `recover`: catalog wrote the file, but
 * the lock is lost.
 */
export type Claim = 'none' | 'take-over' | 'recover';

/** File that a run creates or replaces. */
export interface FileWrite {
  path: string;
  file: DesiredFile;
  change: 'added' | 'changed';
  /** True if the user edited the file; that version is kept. */
  edited: boolean;
  mode?: number;
  /** True if the user gave the file to catalog; it is backed up first. */
  taken_over?: true;
  /** True if the version from before `--take-over` is restored. */
  put_back?: true;
}

/** A desired file whose path has content that catalog must not replace. */
export interface Clash {
  path: string;
  what: string;
  owners: DesiredFile['owners'];
}

/** Changes that bring a folder into the desired state, and conflicts. */
export interface Reconciliation {
  writes: FileWrite[];
  deletes: string[];
  /** Paths that are not wanted and already missing. Their folders may remain after an interrupted run. */
  gone: string[];
  /** Paths that are not wanted and that the user edited; they are not deleted. */
  released: string[];
  seen: Map<string, SeenFile>;
  /** Paths with the wanted content that belong to the user. */
  pre_existing: string[];
  claimed: { path: string; claim: Exclude<Claim, 'none'> }[];
  unchanged: number;
  clashes: Clash[];
}

/**
 * Compares desired, managed and existing files. A file that catalog did not create belongs to the user (SPEC-72): it is
 * accepted with the wanted content and a conflict otherwise, unless the user gave it to catalog.
 */
export function reconcile(input: ReconcileInput): Reconciliation {
  const result: Reconciliation = {
    writes: [],
    deletes: [],
    gone: [],
    released: [],
    seen: new Map(),
    pre_existing: [],
    claimed: [],
    unchanged: 0,
    clashes: [],
  };
  for (const [path, hashes] of input.owned) {
    if (!input.desired.has(path) && !input.carried.has(path)) leave(path, hashes, input, result);
  }
  // Folders of managed files are removed with their last file.
  const leaving = new Set([
    ...result.deletes,
    ...foldersAbove([...result.deletes, ...result.gone]),
  ]);
  const staying = new Set(result.released);
  for (const [path, file] of input.desired) {
    const above = staying.size === 0 ? undefined : folderAmong(staying, path);
    if (above === undefined) place(path, file, input, leaving, result);
    else result.clashes.push({ path: above, what: EDITED, owners: file.owners });
  }
  return result;
}

const EDITED = 'a file the user edited, in place of a folder';

function foldersAbove(paths: readonly string[]): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    let above = parentPath(path);
    while (above !== '' && !folders.has(above)) {
      folders.add(above);
      above = parentPath(above);
    }
  }
  return folders;
}

/** Returns the closest parent folder in a set. */
export function folderAmong(paths: ReadonlySet<string>, path: string): string | undefined {
  let above = parentPath(path);
  while (above !== '' && !paths.has(above)) above = parentPath(above);
  return above === '' ? undefined : above;
}

function leave(
  path: string,
  hashes: ReadonlySet<string>,
  input: ReconcileInput,
  result: Reconciliation,
): void {
  const observed = input.observe(path);
  // A run that replaces the file by a folder was interrupted.
  if (observed.kind === 'absent' || observed.kind === 'folder') result.gone.push(path);
  else if (observed.kind === 'file' && hashes.has(observed.hash)) {
    result.deletes.push(path);
    result.seen.set(path, observed);
  } else result.released.push(path);
}

function place(
  path: string,
  file: DesiredFile,
  input: ReconcileInput,
  leaving: ReadonlySet<string>,
  result: Reconciliation,
): void {
  const observed = input.observe(path);
  switch (observed.kind) {
    case 'absent':
      result.writes.push({ path, file, change: 'added', edited: false });
      return;
    case 'folder':
      if (leaving.has(path) && observed.paths.every((below) => leaving.has(below))) {
        result.writes.push({ path, file, change: 'added', edited: false });
      } else {
        result.clashes.push({ path, what: 'a folder', owners: file.owners });
      }
      return;
    case 'other':
      result.clashes.push({ path, what: observed.what, owners: file.owners });
      return;
    case 'file':
      placeOverFile(path, file, observed, input, result);
  }
}

function placeOverFile(
  path: string,
  file: DesiredFile,
  observed: Extract<Observed, { kind: 'file' }>,
  { owned, claims }: ReconcileInput,
  result: Reconciliation,
): void {
  result.seen.set(path, observed);
  const hashes = owned.get(path);
  const equal = observed.hash === file.hash && observed.executable === file.executable;
  if (hashes !== undefined) {
    if (equal) result.unchanged += 1;
    else {
      const edited = observed.hash !== file.hash && !hashes.has(observed.hash);
      result.writes.push({ path, file, change: 'changed', edited });
    }
    return;
  }
  const claim = claims(path);
  if (equal && claim === 'none') result.pre_existing.push(path);
  else if (equal && claim !== 'none') result.claimed.push({ path, claim });
  else if (claim === 'take-over') {
    result.writes.push({ path, file, change: 'changed', edited: false, taken_over: true });
  } else {
    const mode = observed.hash === file.hash ? ' with the same content and a different mode' : '';
    result.clashes.push({
      path,
      what: `a file that catalog did not write${mode}`,
      owners: file.owners,
    });
  }
}
