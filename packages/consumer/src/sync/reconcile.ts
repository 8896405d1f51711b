import type { Fingerprint } from '@catalog/core/node/fingerprint';
import { parentPath } from '@catalog/core/text/slash-path';
import type { DesiredFile } from './desired-state.ts';

/** What stands at a path of the target right now. */
export type Observed =
  | { kind: 'absent' }
  | { kind: 'file'; hash: string; executable: boolean; fingerprint: Fingerprint }
  /** With everything below it but folders that hold something. */
  | { kind: 'folder'; paths: string[] }
  | { kind: 'other'; what: string };

/** A file as the plan saw it. */
export interface SeenFile {
  fingerprint: Fingerprint;
  hash: string;
}

export interface ReconcileInput {
  desired: ReadonlyMap<string, DesiredFile>;
  /** For every path catalog wrote, the contents it may have left there: by the lock, or by a run cut short. */
  owned: ReadonlyMap<string, ReadonlySet<string>>;
  /** Paths of targets this run leaves alone. */
  carried: ReadonlySet<string>;
  /** Decides what happens to a file of the user's in a wanted place. */
  claims: (path: string) => Claim;
  observe(path: string): Observed;
}

/** `take-over`: the user agreed, and keeps a backup. `recover`: catalog wrote it, but the lock is lost. */
export type Claim = 'none' | 'take-over' | 'recover';

export interface FileWrite {
  path: string;
  file: DesiredFile;
  change: 'added' | 'changed';
  /** The person's own version of a file catalog owns, to be kept aside before it is replaced. */
  edited: boolean;
  /** Permissions of a file that is restored; absent if catalog decides them. */
  mode?: number;
  /** The file was the user's, who agreed to hand it over; it is backed up before it is replaced. */
  taken_over?: true;
  /** The user's version from before `--take-over`, in place of a deletion. */
  put_back?: true;
}

export interface Clash {
  path: string;
  what: string;
  owners: DesiredFile['owners'];
}

/** What has to happen to a target folder. Nothing is read or written to find out. */
export interface Reconciliation {
  writes: FileWrite[];
  deletes: string[];
  /** Owned once, no longer wanted and already gone; a run cut short may have left their folders. */
  gone: string[];
  /** Owned once, edited by the person since, and no longer wanted: left where they are. */
  released: string[];
  /** What was seen of each file in a wanted place, or about to be deleted. */
  seen: Map<string, SeenFile>;
  /** Files of the user's that already hold the wanted bytes: left alone, and still the user's. */
  pre_existing: string[];
  /** Files with the wanted bytes that become catalog's in this run. */
  claimed: { path: string; claim: Exclude<Claim, 'none'> }[];
  unchanged: number;
  clashes: Clash[];
}

/**
 * Compares the desired state, what catalog left behind and what is there. A file catalog did not create
 * stays the user's (SPEC-72): it is pre-existing if it holds the wanted bytes and a clash if not,
 * unless a claim says that it becomes catalog's.
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
  // Folders that held files of catalog's go with the last file in them.
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

/** All folders above some paths. */
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

/** The folder above a path that is one of some paths. */
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
  // A folder is there where a run that makes one of the file was cut short.
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
