import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { now } from '../clock.ts';
import type { Config, ResolvedTarget } from '../config/types.ts';
import { holdTarget, type Hold } from '../lock/hold-target.ts';
import { loadLock } from '../lock/read-lock.ts';
import { openSource } from '../source/open-source.ts';
import type { CatalogListing, CatalogSource } from '../source/catalog-source.ts';
import { applyDirectory } from './apply-directory.ts';
import { getIndex } from './index-file.ts';
import { clearTemporaries, getJournal } from './journal.ts';
import { checkLocked } from './locked.ts';
import type { Owner } from './desired-state.ts';
import { planDirectory, type DirectoryPlan, type TargetPlan } from './plan-directory.ts';
import { planTargets } from './plan-targets.ts';
import { reportDirectory } from './report-directory.ts';
import type { SyncReport, TargetReport } from './report.ts';
import { togglesOf } from './toggles.ts';
import { getCurrentReports, indexKey, rememberRun } from './up-to-date.ts';

export interface SyncOptions {
  mode: 'sync' | 'check' | 'dry-run';
  /** Deliver exactly what the lock says, or fail. */
  locked?: boolean;
  /** Only these ids may change; everything else stays as the lock has it. */
  update?: readonly string[];
  /** Deliver an artifact the scope leaves out, or leave out one it delivers, until the next sync by hand. */
  toggle?: { id: string; state: 'enable' | 'disable' };
  /** Watch and the toggle commands keep the toggles; a sync by hand clears them (decision 45). */
  keep_toggles?: boolean;
  /** Watch rewrites the lock at every run, as specified. */
  rewrite_lock?: boolean;
  /** How long to wait for another sync on the same target. */
  wait_ms?: number;
  onProgress?: (progress: Progress) => void;
  onWait?: (holder: string) => void;
}

export interface Progress {
  phase: 'read' | 'plan' | 'write';
  done: number;
  total: number;
}

const DEFAULT_WAIT_MS = 60_000;

/**
 * Delivers the effective view into every target of the configuration. All folders are planned before
 * the first byte of any is written, so a refusal leaves everything as it was.
 */
export async function runSync(
  config: Config,
  options: SyncOptions,
  signal?: AbortSignal,
): Promise<SyncReport> {
  const started = now();
  const finish = (targets: TargetReport[]): SyncReport => ({
    mode: options.mode,
    targets,
    duration_ms: now() - started,
  });
  const source = openSource(config);
  const folders = groupByDirectory(config.targets);

  const current = await getCurrentReports(config, source, folders, options, signal);
  if (current !== undefined) return finish(current);

  const holds = options.mode === 'sync' ? await holdAll(folders, options, signal) : [];
  try {
    options.onProgress?.({ phase: 'read', done: 0, total: 0 });
    const listing = await source.list(signal);
    const plans: PlannedFolder[] = [];
    for (const [directory, targets] of folders) {
      plans.push(await planFolder(directory, targets, config, source, listing, options, signal));
    }
    const reports: TargetReport[] = [];
    for (const planned of plans) {
      reports.push(...(await carryOut(planned, config, source, options, signal)));
    }
    return finish(reports);
  } finally {
    for (const hold of holds) hold.release();
  }
}

/** Targets by the folder they write into; targets of one folder share a lock. */
export function groupByDirectory(
  targets: readonly ResolvedTarget[],
): Map<string, ResolvedTarget[]> {
  const marketplace = targets.find((target) => target.kind === 'marketplace');
  if (marketplace !== undefined) {
    throw new CatalogError(
      'config.invalid',
      `Target ${marketplace.id} is a marketplace target; this version delivers workspace targets only.`,
      { suggested_action: 'Remove the target, or run the others with --harness and --target.' },
    );
  }
  return Map.groupBy(
    targets.toSorted((a, b) => (a.directory < b.directory ? -1 : 1)),
    (target) => target.directory,
  );
}

/** In the order of their names, so that two syncs over the same folders cannot wait for each other. */
async function holdAll(
  folders: ReadonlyMap<string, unknown>,
  options: SyncOptions,
  signal?: AbortSignal,
): Promise<Hold[]> {
  const holds: Hold[] = [];
  try {
    for (const directory of folders.keys()) {
      const wait = { wait_ms: options.wait_ms ?? DEFAULT_WAIT_MS };
      const { onWait } = options;
      holds.push(
        await holdTarget(directory, onWait === undefined ? wait : { ...wait, onWait }, signal),
      );
    }
    return holds;
  } catch (error) {
    for (const hold of holds) hold.release();
    throw error;
  }
}

interface PlannedFolder {
  plan: DirectoryPlan;
  /** One per target, complete but for what applying adds. */
  reports: TargetReport[];
}

async function planFolder(
  directory: string,
  targets: readonly ResolvedTarget[],
  config: Config,
  source: CatalogSource,
  listing: CatalogListing,
  options: SyncOptions,
  signal?: AbortSignal,
): Promise<PlannedFolder> {
  const lock = loadLock(directory);
  const journal = getJournal(directory);
  if (options.mode === 'sync') clearTemporaries(directory, journal);
  const toggles = togglesOf(lock, listing, options);
  options.onProgress?.({ phase: 'plan', done: 0, total: listing.entries.length });
  const planned = await planTargets(
    { targets, config, source, listing, lock, toggles, update: options.update },
    signal,
  );
  if (options.locked === true) checkLocked(directory, planned, lock);
  const plan = planDirectory({
    directory,
    lock,
    journal,
    index: getIndex(directory),
    targets: planned,
    isCarried: carriedBy(config, targets, planned),
    toggles,
  });
  return { plan, reports: reportDirectory(plan, planned, targets, listing) };
}

/**
 * Targets that are configured but not part of this run keep their files, and so does what an update
 * of other artifacts left alone; targets no longer configured do not.
 */
function carriedBy(
  config: Config,
  running: readonly ResolvedTarget[],
  planned: readonly TargetPlan[],
): (owner: Owner) => boolean {
  const idle = new Set(config.configured_targets);
  for (const { id } of running) idle.delete(id);
  const frozen = new Map(planned.map(({ locked, frozen: ids }) => [locked.id, ids]));
  return ({ target, id }) => idle.has(target) || frozen.get(target)?.has(id) === true;
}

async function carryOut(
  { plan, reports }: PlannedFolder,
  config: Config,
  source: CatalogSource,
  options: SyncOptions,
  signal?: AbortSignal,
): Promise<TargetReport[]> {
  if (options.mode !== 'sync') return reports;
  const { onProgress } = options;
  const { kept, lock_hash } = await applyDirectory(
    plan,
    {
      rewrite_lock: options.rewrite_lock === true,
      ...(onProgress === undefined
        ? {}
        : { onProgress: (done, total) => onProgress({ phase: 'write', done, total }) }),
    },
    signal,
  );
  const [first] = reports;
  if (first !== undefined) first.kept = kept;
  rememberRun(plan, reports, source, {
    key: indexKey(config, plan.directory, options),
    lock_hash,
  });
  return reports;
}
