import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Artifact } from '@catalog/core/artifact/types';
import type { ListingUse } from '@catalog/harness/budget/measure-listing';
import type { Plan } from '@catalog/harness/planned';
import type { LockedArtifact, LockedTarget, LockFile, Toggles } from '../lock/types.ts';
import { entryPlace, uniteDesired, type DesiredState, type Owner } from './desired-state.ts';
import type { DeniedArtifact } from '../trust/approve-content.ts';
import type { UnexpectedChange } from './find-unexpected-changes.ts';
import type { SyncIndex } from './index-file.ts';
import type { Journal } from './journal.ts';
import { observeTarget, type KnownFile } from './observe-target.ts';
import {
  reconcile,
  type Claim,
  type Clash,
  type Observed,
  type Reconciliation,
} from './reconcile.ts';
import type { SkippedArtifact } from './report.ts';
import { planSharedFiles, sharedRows, type ClaimEntry, type SharedPlan } from './shared-files.ts';

/** What one target wants of the folder. */
export interface TargetPlan {
  locked: LockedTarget;
  artifacts: LockedArtifact[];
  plan: Plan;
  skipped: SkippedArtifact[];
  /** Ids that stay as the lock has them, because an update named others. */
  frozen: ReadonlySet<string>;
  /** What of the product's list of skills it takes; undefined where no limit is published. */
  budget?: ListingUse | undefined;
  /** Rewritten and downgraded artifacts that this run accepts. */
  unexpected_changes?: UnexpectedChange[];
  /** The artifacts of the plan as they are written; empty for entries of catalog's own. */
  delivered?: Artifact[];
  /** Artifacts that a policy leaves out. */
  denied?: DeniedArtifact[];
}

export interface DirectoryInput {
  directory: string;
  lock: LockFile;
  journal: Journal | undefined;
  index: SyncIndex | undefined;
  targets: TargetPlan[];
  /** What of the lock this run leaves as it is. */
  isCarried: (owner: Owner) => boolean;
  toggles: Toggles;
  /** What this machine's last run wrote, if `lock` is not that lock (`lock/local-record.ts`). */
  record?: LockFile | undefined;
  /** True if `lock` was lost and rebuilt from the record. */
  recovered?: boolean | undefined;
  /** `--take-over`: files of the user's, by path, that may become catalog's. */
  takes_over?: ((path: string) => boolean) | undefined;
  /** `--recover`: files and entries that hold just what is wanted are catalog's; the lock was lost. */
  recover?: boolean | undefined;
}

/** Everything that will happen to one folder, and the lock it will have afterwards. */
export interface DirectoryPlan {
  directory: string;
  desired: DesiredState;
  files: Reconciliation;
  shared: SharedPlan[];
  /** The lock to write; its `directories` are completed by what applying makes. */
  lock: LockFile;
  previous: LockFile;
  /** True if `previous` was lost and rebuilt from this machine's record. */
  recovered: boolean;
  /** What an earlier run that was cut short had set out to do. */
  interrupted: Journal | undefined;
}

/** Plans one folder. Nothing is written; a clash ends it here, naming every path and both sides. */
export function planDirectory(input: DirectoryInput): DirectoryPlan {
  const { directory, lock, journal, isCarried } = input;
  const carried = lock.files.filter(isCarried);
  const desired = uniteDesired(
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
    claims: (path, equal) =>
      input.takes_over?.(path) === true ? 'take-over' : recovers(input, equal),
    observe,
  });
  if (files.clashes.length > 0) throw clashError(directory, files.clashes);
  // A file that was catalog's alone goes before entries come to its place.
  const deleted = new Set(files.deletes);
  const observeLeft = (path: string): Observed =>
    deleted.has(path) ? { kind: 'absent' } : observe(path);
  const claims = claimEntries(input);
  const shared = planSharedFiles(
    directory,
    desired.entries,
    lock,
    journal,
    isCarried,
    observeLeft,
    claims,
  );
  const carriedArtifacts = lock.artifacts.filter(isCarried);
  const carriedTargets = new Set(carriedArtifacts.map(({ target }) => target));
  const running = new Set(input.targets.map(({ locked }) => locked.id));
  return {
    directory,
    desired,
    files,
    shared,
    lock: {
      targets: [
        ...input.targets.map(({ locked }) => locked),
        ...lock.targets.filter(({ id }) => !running.has(id) && carriedTargets.has(id)),
      ],
      artifacts: [...input.targets.flatMap(({ artifacts }) => artifacts), ...carriedArtifacts],
      files: [...lockedFiles(desired, new Set(files.pre_existing)), ...carried],
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
    previous: lock,
    recovered: input.recovered === true,
    interrupted: journal,
  };
}

/**
 * The contents catalog may have left at each path. A path that only the journal names may not have been
 * written before the run was interrupted: a file with other content there is the user's.
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
  const begun = Map.groupBy(journal?.files ?? [], ({ path }) => path);
  for (const [path, rows] of begun) {
    if (owned.has(path) || mayBeWrittenBy(rows, observe(path))) for (const row of rows) add(row);
  }
  return owned;
}

function mayBeWrittenBy(rows: readonly { hash: string }[], observed: Observed): boolean {
  if (observed.kind === 'file') return rows.some(({ hash }) => hash === observed.hash);
  return observed.kind !== 'other';
}

/**
 * Adds files that this machine's own record names, if they still hold what catalog wrote. They are
 * missing from the lock when it comes from another branch.
 */
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

function recovers({ recover }: DirectoryInput, isEvident: boolean): Claim {
  return recover === true && isEvident ? 'recover' : 'none';
}

/** An entry is known to be catalog's by its mark, by the wanted value, or by this machine's record. */
function claimEntries(input: DirectoryInput): ClaimEntry {
  const recorded = new Map(
    input.record?.entries.map((row) => [entryPlace(row.path, row), row.hash]),
  );
  return (path, { entry, hash, equal, marked }) => {
    if (input.takes_over?.(path) === true) return 'take-over';
    if (recorded.get(entryPlace(path, entry)) === hash) return 'recover';
    return recovers(input, equal || marked);
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
    // An entry with a hash of its own was too fresh to be trusted by its fingerprint.
    if (fingerprint !== undefined && hash === undefined && left !== undefined && left !== '') {
      known.set(path, { fingerprint, hash: left });
    }
  }
  return known;
}

function lockedFiles(desired: DesiredState, theirs: ReadonlySet<string>): LockFile['files'] {
  const rows: LockFile['files'] = [];
  for (const [path, { hash, executable, owners }] of desired.files) {
    if (theirs.has(path)) continue;
    for (const { target, id } of owners) {
      rows.push({ path, hash, ...(executable ? { executable: true as const } : {}), target, id });
    }
  }
  return rows;
}

/** Two targets may want one file for one artifact. */
function idsOf(owners: readonly Owner[]): string[] {
  return [...new Set(owners.map(({ id }) => id))];
}

function clashError(directory: string, clashes: readonly Clash[]): CatalogError {
  const lines = clashes.map(({ path, what, owners }) => {
    const ids = idsOf(owners).join(' and ');
    return `  ${path}: needed by ${ids}, but already exists: ${what}`;
  });
  return new CatalogError(
    'materialize.clash',
    `Files in ${directory} are in the way, so nothing was written.\n${lines.join('\n')}`,
    {
      details: {
        directory,
        clashes: clashes.map(({ path, what, owners }) => ({
          path,
          existing: what,
          incoming: idsOf(owners).join(', '),
        })),
      },
      suggested_action:
        'Move or rename these files, exclude the artifacts with --exclude, or let catalog manage the files with --take-over <glob>, which keeps a backup. If catalog wrote them and the lock was lost, run `catalog sync --recover`.',
    },
  );
}
