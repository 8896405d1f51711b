import { existsSync } from 'node:fs';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { writeProblem } from '@catalog/core/artifact/write-problem';
import type { ManagedEntry } from '@catalog/harness/adapter';
import { acquireTargetLock } from '../lock/acquire-target-lock.ts';
import type { KnownAdapters } from '../adapters/load-adapters.ts';
import { openRowOwnership } from '../lock/owns-path.ts';
import { MANUAL_ENTRY_OWNER } from '../lock/loaded-owner.ts';
import { openLocalState, type LocalState } from '../lock/local-state.ts';
import { loadLock } from '../lock/read-lock.ts';
import { requireLock, type KnownLock } from '../lock/require-lock.ts';
import type { LockFile } from '../lock/types.ts';
import { NO_CONTENT } from '../trust/approve-content.ts';
import { chosenByUser } from '../trust/approve-folder.ts';
import { applyDirectory } from './apply-directory.ts';
import { clearRecords } from './clear-records.ts';
import { changedMeanwhile } from './changed-meanwhile.ts';
import { getJournal } from './journal.ts';
import { clearInterrupted } from './leftover-files.ts';
import { planDirectory, type DirectoryPlan } from './plan-directory.ts';
import type { Change } from './report.ts';
import { checkPlan, type CheckedPlan } from './safety/safety-rules.ts';
import type { ConsentRequest, SyncOptions } from './sync-options.ts';
import { writingTo } from './target-error.ts';

/**
 * Entry that the user added with a command, such as the one of catalog's MCP server. Syncs never change it; its row in
 * the lock keeps other changes of the file consistent.
 */
export interface ManualEntry {
  directory: string;
  home: string;
  adapters: KnownAdapters;
  path: string;
  harness: string;
  entry: ManagedEntry;
}

export interface ManualEntryResult {
  change: Change | 'unchanged';
  kept: { path: string; kept_at: string }[];
}

type ManualEntryOptions = Pick<SyncOptions, 'wait_ms' | 'onWait'> & {
  /** Asks before the first write; undefined if no consent is needed. */
  consent?: (request: ConsentRequest) => Promise<boolean>;
};

export function isManualEntry({ target }: { target: string }): boolean {
  return target.startsWith(MANUAL_ENTRY_OWNER);
}

export function writeManualEntry(
  manual_entry: ManualEntry,
  options: ManualEntryOptions,
  signal?: AbortSignal,
): Promise<ManualEntryResult> {
  return change(manual_entry, options, true, signal);
}

/** Removes an entry, and the file if it was created for the entry. */
export async function removeManualEntry(
  manual_entry: ManualEntry,
  options: ManualEntryOptions,
  signal?: AbortSignal,
): Promise<ManualEntryResult> {
  const { directory } = manual_entry;
  // Nothing was ever written to the folder, so no state folder is created.
  if (
    !existsSync(`${directory}/.catalog`) ||
    ownedBy(manual_entry, loadLock(directory)).length === 0
  ) {
    return { change: 'unchanged', kept: [] };
  }
  return change(manual_entry, options, false, signal);
}

function ownedBy({ harness }: ManualEntry, lock: LockFile): LockFile['entries'] {
  return lock.entries.filter(({ target }) => target === MANUAL_ENTRY_OWNER + harness);
}

async function change(
  manual_entry: ManualEntry,
  { wait_ms = 60_000, onWait, consent }: ManualEntryOptions,
  wanted: boolean,
  signal?: AbortSignal,
): Promise<ManualEntryResult> {
  const { directory, path } = manual_entry;
  const problem = writeProblem(path, 'deliver');
  if (problem !== undefined) throw unsafePath(path, problem);
  const state = openLocalState(directory, manual_entry.home);
  const owns = openRowOwnership(manual_entry.adapters);
  const known = requireLock(state, owns);
  // A rejected entry must not create the state folder.
  await requireConsent(
    manual_entry,
    known.lock,
    planManualEntry(manual_entry, wanted, known, state),
    consent,
  );
  const held = onWait === undefined ? { wait_ms } : { wait_ms, onWait };
  const hold = await writingTo(directory, () => acquireTargetLock(directory, held, signal));
  try {
    const rescued = clearInterrupted(state, getJournal(state));
    const plan = planManualEntry(manual_entry, wanted, requireLock(state, owns), state);
    const { kept, changed_meanwhile, lock_hash } = await writingTo(directory, () =>
      applyDirectory(
        plan,
        { folder: chosenByUser(directory), content: NO_CONTENT, rewrite_lock: false },
        signal,
      ),
    );
    if (changed_meanwhile.length === 0 && isEmpty(plan.lock)) {
      const cleared = clearRecords(state, { lock_hash, keep_undo: true });
      kept.push(...cleared.kept);
      changed_meanwhile.push(...cleared.changed_meanwhile);
    }
    if (changed_meanwhile.length > 0) {
      throw changedMeanwhile(directory, changed_meanwhile, [...rescued, ...kept]);
    }
    return { change: changeOf(plan, manual_entry.path), kept: [...rescued, ...kept] };
  } finally {
    hold.release();
  }
}

/** Plans the change of an entry. All other rows of the lock stay. */
function planManualEntry(
  manual_entry: ManualEntry,
  wanted: boolean,
  { lock, lock_hash }: Pick<KnownLock, 'lock' | 'lock_hash'>,
  state: LocalState,
): CheckedPlan {
  const { path, harness, entry } = manual_entry;
  const id = MANUAL_ENTRY_OWNER + harness;
  const source = { artifact_id: entry.artifact_id, version: '', layer: '', content_hash: '' };
  const plan = planDirectory({
    state,
    lock,
    lock_hash,
    journal: getJournal(state),
    index: undefined,
    targets: [
      {
        locked: { id, registry: '', harness },
        artifacts: [],
        plan: {
          files: [],
          entries: wanted ? [{ path, entry, ...source }] : [],
          unsupported: [],
          fallbacks: [],
          left_out: [],
        },
        skipped: [],
        frozen: new Set(),
      },
    ],
    isCarried: ({ target }) => target !== id,
    toggles: lock.toggles,
  });
  return checkPlan({ ...plan, lock: { ...plan.lock, targets: lock.targets } });
}

async function requireConsent(
  manual_entry: ManualEntry,
  lock: LockFile,
  { shared }: DirectoryPlan,
  consent: ManualEntryOptions['consent'],
): Promise<void> {
  if (consent === undefined || ownedBy(manual_entry, lock).length > 0) return;
  const changed = shared.filter((one) => one.changed);
  if (changed.length === 0) return;
  const pathsOf = (there: boolean): string[] =>
    changed.filter(({ before }) => (before !== undefined) === there).map(({ path }) => path);
  const { directory, harness } = manual_entry;
  const request = {
    directory,
    harnesses: [harness],
    writes: pathsOf(false),
    edits: pathsOf(true),
  };
  if (await consent(request)) return;
  throw new CatalogError(
    'materialize.consent_required',
    `Nothing was written: this would add an entry to ${manual_entry.path} in ${directory}.`,
    {
      details: request,
      suggested_action: 'Run again with `--yes`, or confirm the prompt in a terminal.',
    },
  );
}

function changeOf({ shared }: DirectoryPlan, path: string): ManualEntryResult['change'] {
  const file = shared.find((one) => one.path === path);
  if (file === undefined || !file.changed) return 'unchanged';
  if (file.text === undefined) return 'removed';
  return file.before === undefined ? 'added' : 'changed';
}

function isEmpty({ targets, artifacts, files, entries, shared }: LockFile): boolean {
  return [targets, artifacts, files, entries, shared].every((rows) => rows.length === 0);
}

/** Creates the error for a path of a third-party adapter. */
function unsafePath(path: string, problem: string): CatalogError {
  return new CatalogError(
    'materialize.target_invalid',
    `Nothing was written: the path ${path} ${problem}.`,
    { details: { path }, suggested_action: 'Fix the path in the adapter of the harness.' },
  );
}
