import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { now } from '../clock.ts';
import type { Config } from '../config/types.ts';
import { loadAdapters, type KnownAdapters } from '../adapters/load-adapters.ts';
import { openRowOwnership } from '../lock/owns-path.ts';
import { acquireTargetLock } from '../lock/acquire-target-lock.ts';
import { openLocalState, type LocalState } from '../lock/local-state.ts';
import { requireLock } from '../lock/require-lock.ts';
import type { LockedPreExisting, LockFile } from '../lock/types.ts';
import { NO_CONTENT } from '../trust/approve-content.ts';
import { approveFolder, type ApprovedFolder } from '../trust/approve-folder.ts';
import { applyDirectory } from './apply-directory.ts';
import { groupByDirectory } from './group-targets.ts';
import { getJournal } from './journal.ts';
import { clearInterrupted, keepLateSaves } from './leftover-files.ts';
import type { KeptFile } from './kept-files.ts';
import { observeTarget } from './observe-target.ts';
import { hasRows, type DirectoryPlan } from './plan-directory.ts';
import type { Observed, Reconciliation } from './reconcile.ts';
import { checkUndo, type CheckedPlan } from './safety/safety-rules.ts';
import { formerRows, type SharedPlan } from './shared-files.ts';
import type { SyncOptions } from './sync-options.ts';
import { writingTo } from './target-error.ts';
import { getUndoRecord, type UndoRecord } from './undo-record.ts';

export interface UndoneFolder {
  directory: string;
  restored: string[];
  removed: string[];
  skipped: string[];
  /** Versions that were saved after the last sync had replaced the files. */
  kept: KeptFile[];
}

export interface UndoReport {
  folders: UndoneFolder[];
  duration_ms: number;
}

type UndoOptions = Pick<SyncOptions, 'wait_ms' | 'onWait' | 'trust' | 'confirmTrust'> & {
  dry_run: boolean;
};

export async function undoLastSync(
  config: Config,
  options: UndoOptions,
  signal?: AbortSignal,
): Promise<UndoReport> {
  const started = now();
  const recorded = [...groupByDirectory(config.targets)]
    .map(([directory, targets]) => ({ state: openLocalState(directory, config.home), targets }))
    .filter(({ state }) => getUndoRecord(state) !== undefined);
  if (recorded.length === 0) throw nothingToUndo(config.workspace);
  const adapters = await loadAdapters(config, options);
  const folders: UndoneFolder[] = [];
  for (const { state, targets } of recorded) {
    if (options.dry_run) {
      folders.push(planUndo(state, adapters).undone);
      continue;
    }
    const folder = await approveFolder(state.directory, targets, config, options, 'remove');
    folders.push(await undoIn(state, folder, adapters, options, signal));
  }
  return { folders, duration_ms: now() - started };
}

async function undoIn(
  state: LocalState,
  directory: ApprovedFolder,
  adapters: KnownAdapters,
  { wait_ms = 60_000, onWait }: UndoOptions,
  signal?: AbortSignal,
): Promise<UndoneFolder> {
  const held = onWait === undefined ? { wait_ms } : { wait_ms, onWait };
  const hold = await writingTo(directory, () => acquireTargetLock(directory, held, signal));
  try {
    const rescued = [...clearInterrupted(state, getJournal(state)), ...keepLateSaves(state)];
    const { plan, undone } = planUndo(state, adapters);
    const { kept, changed_meanwhile } = await writingTo(directory, () =>
      applyDirectory(plan, { folder: directory, content: NO_CONTENT, rewrite_lock: true }, signal),
    );
    const left = new Set(changed_meanwhile);
    return {
      directory,
      restored: undone.restored.filter((path) => !left.has(path)),
      removed: undone.removed.filter((path) => !left.has(path)),
      skipped: [...undone.skipped, ...changed_meanwhile],
      kept: [...rescued, ...kept],
    };
  } finally {
    hold.release();
  }
}

function planUndo(
  state: LocalState,
  adapters: KnownAdapters,
): { plan: CheckedPlan; undone: UndoneFolder } {
  const { directory } = state;
  const record = getUndoRecord(state);
  if (record === undefined) throw nothingToUndo(directory);
  if (getJournal(state) !== undefined) throw interrupted(directory);
  const leaving = addedFiles(directory, record);
  const observe = observeTarget(directory, new Map(), leaving);
  const undone: UndoneFolder = { directory, restored: [], removed: [], skipped: [], kept: [] };
  const files = emptyReconciliation();
  const shared: SharedPlan[] = [];

  function isUntouched(path: string, after: string | undefined): boolean {
    const observed = observe(path);
    if (observed.kind === 'file') files.seen.set(path, observed);
    const untouched = isAsLeft(observed, after, leaving) && record?.before(path).kind !== 'lost';
    if (!untouched) undone.skipped.push(path);
    return untouched;
  }

  const inShared = new Set(record.journal.shared.map(({ path }) => path));
  for (const [path, after] of hashesAfterSync(record)) {
    if (inShared.has(path) || !isUntouched(path, after)) continue;
    const before = record.before(path);
    if (before.kind !== 'file') {
      if (after === undefined) continue;
      files.deletes.push(path);
      undone.removed.push(path);
      continue;
    }
    const { bytes, mode } = before;
    const file = { bytes, hash: bytesHash(bytes), executable: (mode & 0o100) !== 0, owners: [] };
    const change = after === undefined ? 'added' : 'changed';
    files.writes.push({ path, file, change, edited: false, mode });
    undone.restored.push(path);
  }
  const interrupted_shared: Pick<SharedPlan, 'path' | 'owned_before'>[] = [];
  for (const { path, before: found, after, owned_before } of record.journal.shared) {
    if (!isUntouched(path, after)) continue;
    const before = record.before(path);
    const isAsFound = before.kind === 'file' && bytesHash(before.bytes) === found;
    if (owned_before !== undefined && isAsFound) interrupted_shared.push({ path, owned_before });
    shared.push({
      path,
      text: before.kind === 'file' ? before.bytes.toString('utf8') : undefined,
      before: after,
      mode: before.kind === 'file' ? before.mode : 0o644,
      changed: true,
      edited: false,
      owned: undefined,
      entries: [],
      pre_existing: [],
      claimed: [],
      put_back: [],
    });
    (before.kind === 'file' ? undone.restored : undone.removed).push(path);
  }
  const { lock: current, lock_hash, ignored } = requireLock(state, openRowOwnership(adapters));
  const plan: DirectoryPlan = {
    directory,
    state,
    desired: { files: new Map(), entries: new Map() },
    files,
    shared,
    lock: lockAfter(
      withInterruptedEntries(record, current, interrupted_shared),
      current,
      undone,
      new Set(undone.skipped),
    ),
    previous: current,
    lock_hash,
    unrecorded: { files: [], entries: [], shared: [] },
    recovered: false,
    has_ignored: hasRows(ignored),
    interrupted: undefined,
  };
  return { plan: checkUndo(plan), undone };
}

/** Returns true if a path is as the last run left it. A folder that will be removed counts as missing. */
function isAsLeft(
  observed: Observed,
  after: string | undefined,
  leaving: ReadonlySet<string>,
): boolean {
  if (observed.kind === 'file') return observed.hash === after;
  if (after !== undefined || observed.kind === 'other') return false;
  return observed.kind === 'absent' || observed.paths.every((below) => leaving.has(below));
}

function addedFiles(directory: string, record: UndoRecord): Set<string> {
  const observe = observeTarget(directory, new Map(), new Set());
  const added = [...hashesAfterSync(record)].filter(([path, after]) => {
    const observed = observe(path);
    return (
      observed.kind === 'file' && observed.hash === after && record.before(path).kind === 'absent'
    );
  });
  return new Set(added.map(([path]) => path));
}

function hashesAfterSync({ journal }: UndoRecord): Map<string, string | undefined> {
  const left = new Map<string, string | undefined>(
    journal.deletes.map((path) => [path, undefined]),
  );
  // A run that completed an interrupted one lists its own writes first.
  for (const { path, hash } of journal.files.toReversed()) left.set(path, hash);
  for (const path of journal.deleted_again ?? []) left.set(path, undefined);
  return left;
}

/**
 * Adds entries of an interrupted run, if the user edited the file before the next sync: the undo then restores the file
 * with them.
 */
function withInterruptedEntries(
  record: UndoRecord,
  current: LockFile,
  interrupted_shared: readonly Pick<SharedPlan, 'path' | 'owned_before'>[],
): UndoRecord {
  const { previous } = record;
  const paths = new Set(interrupted_shared.map(({ path }) => path));
  const target = (previous.targets[0] ?? current.targets[0])?.id ?? '';
  const { entries, shared } = formerRows(interrupted_shared, { lock: previous, target });
  const isOther = ({ path }: { path: string }): boolean => !paths.has(path);
  return {
    ...record,
    previous: {
      ...previous,
      entries: [...previous.entries.filter(isOther), ...entries],
      shared: [...previous.shared.filter(isOther), ...shared],
    },
  };
}

/**
 * Returns the lock after an undo. Skipped files that the current lock lacks belong to the user now; a skipped shared
 * file keeps its current entries.
 */
function lockAfter(
  { previous, journal }: UndoRecord,
  current: LockFile,
  { restored }: Pick<UndoneFolder, 'restored'>,
  skipped: ReadonlySet<string>,
): LockFile {
  const owned = new Set([...restored, ...current.files.map(({ path }) => path)]);
  const undone = new Set(
    journal.shared.map(({ path }) => path).filter((path) => !skipped.has(path)),
  );
  const choose = <Row extends { path: string }>(former: Row[], now: Row[]): Row[] => [
    ...former.filter(({ path }) => undone.has(path)),
    ...now.filter(({ path }) => !undone.has(path)),
  ];
  const isEntry = ({ at }: LockedPreExisting): boolean => at !== undefined;
  const entries = choose(previous.entries, current.entries);
  const owners = new Set(entries.map(({ target }) => target));
  const known = new Set(previous.targets.map(({ id }) => id));
  return {
    ...previous,
    targets: [
      ...previous.targets,
      ...current.targets.filter(({ id }) => owners.has(id) && !known.has(id)),
    ],
    files: previous.files.filter(({ path }) => owned.has(path)),
    entries,
    shared: choose(previous.shared, current.shared),
    pre_existing: [
      ...previous.pre_existing.filter((row) => !isEntry(row)),
      ...choose(previous.pre_existing.filter(isEntry), current.pre_existing.filter(isEntry)),
    ],
    directories: [...new Set([...previous.directories, ...journal.directories])],
  };
}

function emptyReconciliation(): Reconciliation {
  return {
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
}

function nothingToUndo(directory: string): CatalogError {
  return new CatalogError(
    'registry.not_found',
    `Nothing to undo in ${directory}: no recorded sync has changed files here.`,
    { suggested_action: 'Run `catalog sync` to restore the files from the registry.' },
  );
}

function interrupted(directory: string): CatalogError {
  return new CatalogError(
    'materialize.target_invalid',
    `The last sync of ${directory} was interrupted, so it cannot be undone yet.`,
    {
      details: { path: directory },
      suggested_action: 'Run `catalog sync` to finish it, then undo.',
    },
  );
}
