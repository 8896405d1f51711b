import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { Artifact } from '@catalog/core/artifact/types';
import type { ListingUse } from '@catalog/harness/budget/measure-listing';
import type { Plan } from '@catalog/harness/planned';
import type { AdoptedEntry } from '@catalog/harness/adopt/adopted-entries';
import type { LocalState } from '../lock/local-state.ts';
import type { KnownLock } from '../lock/require-lock.ts';
import type { LockedArtifact, LockedFile, LockedTarget, LockFile, Toggles } from '../lock/types.ts';
import { entryPlace, combineDesired, type DesiredState, type Owner } from './desired-state.ts';
import { readFormer, readTakenOver, type TakenOver } from '../lock/taken-over.ts';
import type { DeniedArtifact } from '../trust/approve-content.ts';
import type { UnexpectedChange } from './find-unexpected-changes.ts';
import type { SyncIndex } from './index-file.ts';
import type { Journal } from './journal.ts';
import { observeTarget, type KnownFile } from './observe-target.ts';
import { folderAmong, reconcile, type Observed, type Reconciliation } from './reconcile.ts';
import type { SkippedArtifact } from './report.ts';
import { planSharedFiles, sharedRows, type ClaimEntry, type SharedPlan } from './shared-files.ts';

/** Plan of one target, with its artifacts and those that are skipped or denied. */
export interface TargetPlan {
  locked: LockedTarget;
  artifacts: LockedArtifact[];
  plan: Plan;
  skipped: SkippedArtifact[];
  /** Artifacts that stay unchanged, because an update named other ids. */
  frozen: ReadonlySet<string>;
  /** Size of the skill listing; undefined if the harness has no limit. */
  budget?: ListingUse | undefined;
  unexpected_changes?: UnexpectedChange[];
  /** Artifacts in their final form; empty for entries of catalog itself. */
  delivered?: Artifact[];
  denied?: DeniedArtifact[];
}

/** Input for planning a folder, with all targets that write into it. */
export interface DirectoryInput {
  state: LocalState;
  lock: LockFile;
  lock_hash: string | undefined;
  journal: Journal | undefined;
  index: SyncIndex | undefined;
  targets: TargetPlan[];
  isCarried: (owner: Owner) => boolean;
  toggles: Toggles;
  /** Own record of the user, if it differs from the lock (`lock/local-record.ts`). */
  record?: LockFile | undefined;
  recovered?: boolean | undefined;
  /** Invalid rows of the lock; those of targets that do not run are kept. */
  ignored?: KnownLock['ignored'] | undefined;
  /** Matches files of the user that catalog may take over (`--take-over`). */
  takes_over?: ((path: string) => boolean) | undefined;
  /** Entries of taken-over files that exist as artifacts too. */
  adopted?: readonly AdoptedEntry[] | undefined;
  /** True with `--recover`: entries with the mark of catalog become managed. */
  recover?: boolean | undefined;
}

/** Planned changes of a folder, and the lock to write afterwards. */
export interface DirectoryPlan {
  directory: string;
  state: LocalState;
  desired: DesiredState;
  files: Reconciliation;
  shared: SharedPlan[];
  /** New lock. Applying the plan adds created folders. */
  lock: LockFile;
  unrecorded: KnownLock['ignored'];
  previous: LockFile;
  lock_hash: string | undefined;
  recovered: boolean;
  /** True if the lock contains invalid rows (SPEC-89). */
  has_ignored: boolean;
  interrupted: Journal | undefined;
}

/** Plans the changes of a folder without writing. `safety/safety-rules.ts` decides whether the plan may be applied. */
export function planDirectory(input: DirectoryInput): DirectoryPlan {
  const { state, lock, journal, isCarried } = input;
  const { directory } = state;
  const carried = lock.files.filter(isCarried);
  const desired = combineDesired(
    input.targets.map(({ locked, plan }) => ({ target: locked.id, plan })),
    { files: carried, entries: lock.entries.filter(isCarried) },
  );
  const known = knownFiles(input.index);
  const owned = ownedHashes(lock, journal, observeTarget(directory, known, new Set()));
  const leaving = new Set([...owned.keys()].filter((path) => !desired.files.has(path)));
  const observe = observeTarget(directory, known, leaving);
  addRecorded(owned, input, desired, observe);
  const files = reconcile({
    desired: desired.files,
    owned,
    carried: new Set(carried.map((file) => file.path)),
    claims: (path) => (input.takes_over?.(path) === true ? 'take-over' : 'none'),
    observe,
  });
  const taken_over_rows = readTakenOver(state);
  putBackFiles(files, taken_over_rows, lock, directory);
  // A shared file may replace one of catalog.
  const deleted = new Set(files.deletes);
  const observeLeft = (path: string): Observed =>
    deleted.has(path) ? { kind: 'absent' } : observe(path);
  const claims = claimEntries(input);
  // Shared files behind a link, or below a file, cannot be read.
  const shared =
    files.clashes.length > 0
      ? []
      : planSharedFiles(
          directory,
          desired.entries,
          lock,
          journal,
          isCarried,
          observeLeft,
          claims,
          taken_over_rows,
          input.adopted,
        );
  const carriedArtifacts = lock.artifacts.filter(isCarried);
  const carriedTargets = new Set(carriedArtifacts.map(({ target }) => target));
  const running = new Set(input.targets.map(({ locked }) => locked.id));
  return {
    directory,
    state,
    desired,
    files,
    shared,
    lock: {
      targets: [
        ...input.targets.map(({ locked }) => locked),
        ...lock.targets.filter(({ id }) => !running.has(id) && carriedTargets.has(id)),
      ],
      artifacts: [...input.targets.flatMap(({ artifacts }) => artifacts), ...carriedArtifacts],
      files: [
        ...lockedFiles(desired, new Set(files.pre_existing)),
        ...withInterruptedHashes(carried, journal, observe),
      ],
      entries: shared.flatMap(({ entries }) => entries),
      shared: sharedRows(shared),
      pre_existing: [
        ...preExistingFiles(desired, files.pre_existing),
        ...shared.flatMap(({ pre_existing }) => pre_existing),
        ...lock.pre_existing.filter(isCarried),
      ],
      directories: lock.directories,
      toggles: input.toggles,
    },
    unrecorded: {
      files: input.ignored?.files.filter(isCarried) ?? [],
      entries: input.ignored?.entries.filter(isCarried) ?? [],
      shared: [],
    },
    previous: lock,
    lock_hash: input.lock_hash,
    recovered: input.recovered === true,
    has_ignored: input.ignored !== undefined && hasRows(input.ignored),
    interrupted: journal,
  };
}

/** Returns true if the lock contains invalid rows. */
export function hasRows({ files, entries }: KnownLock['ignored']): boolean {
  return files.length + entries.length > 0;
}

function putBackFiles(
  files: Reconciliation,
  taken_over_rows: readonly TakenOver[],
  lock: LockFile,
  directory: string,
): void {
  const rows = new Map(
    taken_over_rows.filter(({ at }) => at === undefined).map((row) => [row.path, row]),
  );
  if (rows.size === 0) return;
  const written = new Set(files.writes.map(({ path }) => path));
  files.deletes = files.deletes.filter((path) => {
    // The version of the user stays in the backup.
    const row = folderAmong(written, path) === undefined ? rows.get(path) : undefined;
    const former = row === undefined ? undefined : readFormer(directory, row);
    if (former === undefined) return true;
    const { bytes, mode } = former;
    const owners = lock.files.filter((file) => file.path === path);
    const file = { bytes, hash: bytesHash(bytes), executable: (mode & 0o100) !== 0, owners };
    files.writes.push({ path, file, change: 'changed', edited: false, mode, put_back: true });
    return false;
  });
}

/**
 * Returns the hashes that managed files may have. Of a path that only the journal of an interrupted run contains, other
 * content belongs to the user.
 */
function ownedHashes(
  lock: LockFile,
  journal: Journal | undefined,
  observe: (path: string) => Observed,
): Map<string, Set<string>> {
  const owned = new Map<string, Set<string>>();
  const add = ({ path, hash }: { path: string; hash: string }): void => {
    const hashes = owned.get(path);
    if (hashes === undefined) owned.set(path, new Set([hash]));
    else hashes.add(hash);
  };
  for (const row of lock.files) add(row);
  const interrupted_files = Map.groupBy(journal?.files ?? [], ({ path }) => path);
  for (const [path, rows] of interrupted_files) {
    if (owned.has(path) || mayBeWrittenBy(rows, observe(path))) for (const row of rows) add(row);
  }
  return owned;
}

function mayBeWrittenBy(rows: readonly { hash: string }[], observed: Observed): boolean {
  if (observed.kind === 'file') return rows.some(({ hash }) => hash === observed.hash);
  return observed.kind !== 'other';
}

/** Returns the rows that stay, with the content that an interrupted run may have written. */
function withInterruptedHashes(
  rows: readonly LockedFile[],
  journal: Journal | undefined,
  observe: (path: string) => Observed,
): LockedFile[] {
  const written = Map.groupBy(journal?.files ?? [], ({ path }) => path);
  return rows.map((row) => {
    const interrupted_files = written.get(row.path);
    const observed = interrupted_files === undefined ? undefined : observe(row.path);
    if (observed?.kind !== 'file') return row;
    const { hash } = observed;
    return interrupted_files?.some((one) => one.hash === hash) === true ? { ...row, hash } : row;
  });
}

/** Adds recorded files that still have catalog's content, which the lock of another branch lacks. */
function addRecorded(
  owned: Map<string, Set<string>>,
  { record }: DirectoryInput,
  desired: DesiredState,
  observe: (path: string) => Observed,
): void {
  for (const { path, hash } of record?.files ?? []) {
    if (owned.has(path) || !desired.files.has(path)) continue;
    const observed = observe(path);
    if (observed.kind === 'file' && observed.hash === hash) owned.set(path, new Set([hash]));
  }
}

/**
 * Decides whether an entry is managed: this machine's record contains it or, with `--recover`, it has the mark of
 * catalog.
 */
function claimEntries(input: DirectoryInput): ClaimEntry {
  const recorded = new Map(
    input.record?.entries.map((row) => [entryPlace(row.path, row), row.hash]),
  );
  return (path, { entry, hash, marked }) => {
    if (input.takes_over?.(path) === true) return 'take-over';
    if (recorded.get(entryPlace(path, entry)) === hash) return 'recover';
    return input.recover === true && marked ? 'recover' : 'none';
  };
}

function preExistingFiles(
  desired: DesiredState,
  paths: readonly string[],
): LockFile['pre_existing'] {
  return paths.flatMap((path) =>
    (desired.files.get(path)?.owners ?? []).map((owner) => ({ path, ...owner })),
  );
}

function knownFiles(index: SyncIndex | undefined): Map<string, KnownFile> {
  const known = new Map<string, KnownFile>();
  for (const { path, fingerprint, hash } of index?.outputs ?? []) {
    const left = index?.hashes.get(path);
    // Skips entries that have a hash: their files changed too recently for a reliable fingerprint.
    if (fingerprint !== undefined && hash === undefined && left !== undefined && left !== '') {
      known.set(path, { fingerprint, hash: left });
    }
  }
  return known;
}

function lockedFiles(desired: DesiredState, user_entries: ReadonlySet<string>): LockFile['files'] {
  const rows: LockFile['files'] = [];
  for (const [path, { hash, executable, owners }] of desired.files) {
    if (user_entries.has(path)) continue;
    for (const { target, id } of owners) {
      rows.push({ path, hash, ...(executable ? { executable: true as const } : {}), target, id });
    }
  }
  return rows;
}
