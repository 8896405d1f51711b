import { CatalogError, type ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import { RegistryError } from '@catalog/sdk/registry-error';
import type { Config } from './config/types.ts';
import { getSignInState, type SignInState } from './identity/sign-in-state.ts';
import { lockedId } from './lock/locked-id.ts';
import { loadLock } from './lock/read-lock.ts';
import { getJournal } from './sync/journal.ts';
import type { TargetReport } from './sync/report.ts';
import { groupByDirectory } from './sync/group-targets.ts';
import { runSync } from './sync/run-sync.ts';
import type { SyncOptions } from './sync/sync-options.ts';

/** Where one target stands. */
export interface TargetStatus {
  target: string;
  directory: string;
  harness: string;
  profile: string | undefined;
  /** As the lock has it. */
  artifacts: number;
  files: number;
  /** In files that are the person's own as well. */
  entries: number;
  /** Files and entries the user already had with the same content; they are not catalog's. */
  pre_existing: number;
  toggles: { add: string[]; remove: string[] };
  /** A run that did not come to its end; the next sync repairs it. */
  interrupted: boolean;
}

export interface Status {
  workspace: string;
  registry: string | undefined;
  overlay: string | undefined;
  /** What is known on this machine of a sign-in to the registry. */
  sign_in: SignInState;
  targets: TargetStatus[];
  /** What a sync would do now, or why it could not. */
  outlook:
    | { kind: 'in-sync'; rejected: number }
    | { kind: 'would-change'; rejected: number; targets: TargetReport[] }
    | { kind: 'failing'; error: ErrorEnvelope };
}

/** Tells where a workspace stands. Writes nothing. */
export async function readStatus(
  config: Config,
  options: Pick<SyncOptions, 'onReadOnly' | 'signIn'>,
  signal?: AbortSignal,
): Promise<Status> {
  const targets: TargetStatus[] = [];
  for (const [directory, all] of groupByDirectory(config.targets)) {
    const lock = loadLock(directory);
    for (const { id, harness, profile } of all) {
      const known = lockedId({ id, harness }, lock);
      targets.push({
        target: id,
        directory,
        harness,
        profile,
        artifacts: lock.artifacts.filter((row) => row.target === known).length,
        files: new Set(lock.files.filter((row) => row.target === known).map((row) => row.path))
          .size,
        entries: lock.entries.filter((row) => row.target === known).length,
        pre_existing: lock.pre_existing.filter((row) => row.target === known).length,
        toggles: lock.toggles,
        interrupted: getJournal(directory) !== undefined,
      });
    }
  }
  // First: it may be what signs the person in.
  const outlook = await foresee(config, options, signal);
  return {
    workspace: config.workspace,
    registry: config.registry?.value,
    overlay: config.overlay?.value,
    targets,
    outlook,
    sign_in: await getSignInState(config, signal),
  };
}

async function foresee(
  config: Config,
  options: Pick<SyncOptions, 'onReadOnly' | 'signIn'>,
  signal?: AbortSignal,
): Promise<Status['outlook']> {
  try {
    const report = await runSync(config, { ...options, mode: 'check', keep_toggles: true }, signal);
    const changing = report.targets.filter((target) => target.changes.length > 0);
    // Every target reads the same view, and so rejects the same.
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
