import { CatalogError, type ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import { RegistryError } from '@catalog/sdk/registry-error';
import { withoutSecrets } from './marketplace/without-secrets.ts';
import type { Config } from './config/types.ts';
import { getSignInState, type SignInState } from './identity/sign-in-state.ts';
import { lockedId } from './lock/locked-id.ts';
import { acquireTargetLock } from './lock/acquire-target-lock.ts';
import { openLocalState, type LocalState } from './lock/local-state.ts';
import { loadLock } from './lock/read-lock.ts';
import type { LockedTarget, LockFile } from './lock/types.ts';
import { getJournal } from './sync/journal.ts';
import type { KeptFile } from './sync/kept-files.ts';
import { keepLateSaves } from './sync/leftover-files.ts';
import { listSaves } from './sync/pending-save.ts';
import { recoverSaves } from './sync/save-files.ts';
import { getUndoRecord } from './sync/undo-record.ts';
import type { TargetReport } from './sync/report.ts';
import { groupByDirectory } from './sync/group-targets.ts';
import { runSync } from './sync/run-sync.ts';
import type { SyncOptions } from './sync/sync-options.ts';

export interface TargetStatus {
  target: string;
  directory: string;
  harness: string;
  profile: string | undefined;
  /** False for an earlier target that the configuration or flags no longer select. */
  selected: boolean;
  artifacts: number;
  files: number;
  entries: number;
  /** Number of files and entries that the user already had with the same content. */
  pre_existing: number;
  toggles: { add: string[]; remove: string[] };
  /** True if a run was interrupted; the next sync repairs that. */
  interrupted: boolean;
  /** False without a writable home folder, where catalog cannot identify its own files (SPEC-89). */
  authenticated: boolean;
}

/** Kept version of a file; paths are relative to `directory`. */
export interface LateFile extends KeptFile {
  directory: string;
}

export interface Status {
  workspace: string;
  registry: string | undefined;
  overlay: string | undefined;
  sign_in: SignInState;
  targets: TargetStatus[];
  /** Versions that other programs saved after the last run, and that this call moved. */
  kept: LateFile[];
  outlook:
    | { kind: 'in-sync'; rejected: number }
    | { kind: 'would-change'; rejected: number; targets: TargetReport[] }
    | { kind: 'failing'; error: ErrorEnvelope };
}

/** Reads the status of targets. Changes nothing, except that it keeps late saves (SPEC-90). */
export async function readStatus(
  config: Config,
  options: Pick<SyncOptions, 'onReadOnly' | 'signIn'>,
  signal?: AbortSignal,
): Promise<Status> {
  const targets: TargetStatus[] = [];
  const kept: LateFile[] = [];
  for (const [directory, all] of groupByDirectory(config.targets)) {
    const state = openLocalState(directory, config.home);
    kept.push(...(await keepLate(state, signal)).map((file) => ({ directory, ...file })));
    const lock = loadLock(directory);
    const shared = {
      directory,
      interrupted: getJournal(state) !== undefined,
      authenticated: state.isAuthenticated(),
    };
    const left = new Set(lock.targets);
    for (const { id, harness, profile } of all) {
      const known = lockedId({ id, harness }, lock);
      const locked = lock.targets.find((one) => one.id === known && one.harness === harness);
      if (locked !== undefined) left.delete(locked);
      targets.push({
        ...shared,
        ...deliveredTo(locked, lock),
        target: id,
        harness,
        profile,
        selected: true,
        toggles: lock.toggles,
      });
    }
    for (const locked of left) {
      targets.push({
        ...shared,
        ...deliveredTo(locked, lock),
        target: locked.id,
        harness: locked.harness,
        profile: locked.profile,
        selected: false,
        toggles: { add: [], remove: [] },
      });
    }
  }
  // This comes first, because it may sign in the user.
  const outlook = await previewSync(config, options, signal);
  return {
    workspace: config.workspace,
    registry: config.registry === undefined ? undefined : withoutSecrets(config.registry.value),
    overlay: config.overlay?.value,
    targets,
    kept,
    outlook,
    sign_in: await getSignInState(config, signal),
  };
}

/** Completes interrupted saves and keeps late ones, unless a run is in progress. */
async function keepLate(state: LocalState, signal?: AbortSignal): Promise<KeptFile[]> {
  if (getUndoRecord(state) === undefined && listSaves(state).length === 0) return [];
  const kept: KeptFile[] = [];
  try {
    const hold = await acquireTargetLock(state.directory, { wait_ms: 0 }, signal);
    try {
      kept.push(...recoverSaves(state));
      kept.push(...keepLateSaves(state));
    } finally {
      hold.release();
    }
  } catch {
    return kept; // the current run, or the next one, keeps the others
  }
  return kept;
}

function deliveredTo(
  locked: LockedTarget | undefined,
  { artifacts, files, entries, pre_existing }: LockFile,
): Pick<TargetStatus, 'artifacts' | 'files' | 'entries' | 'pre_existing'> {
  const isOurs = ({ target }: { target: string }): boolean => target === locked?.id;
  return {
    artifacts: artifacts.filter(isOurs).length,
    files: new Set(files.filter(isOurs).map(({ path }) => path)).size,
    entries: entries.filter(isOurs).length,
    pre_existing: pre_existing.filter(isOurs).length,
  };
}

async function previewSync(
  config: Config,
  options: Pick<SyncOptions, 'onReadOnly' | 'signIn'>,
  signal?: AbortSignal,
): Promise<Status['outlook']> {
  try {
    const report = await runSync(config, { ...options, mode: 'check', keep_toggles: true }, signal);
    const changing = report.targets.filter((target) => target.changes.length > 0);
    // All targets read the same view, so the first one has all rejections.
    const rejected = report.targets[0]?.rejected.length ?? 0;
    return changing.length === 0
      ? { kind: 'in-sync', rejected }
      : { kind: 'would-change', rejected, targets: changing };
  } catch (error) {
    const isKnown = error instanceof CatalogError || error instanceof RegistryError;
    if (isKnown) return { kind: 'failing', error: error.toEnvelope() };
    throw error;
  }
}
