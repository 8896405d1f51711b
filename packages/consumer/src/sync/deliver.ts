import { setImmediate } from 'node:timers/promises';
import type { Config, ResolvedTarget } from '../config/types.ts';
import type { FileMutex } from '@catalog/core/node/file-mutex';
import { holdTarget } from '../lock/hold-target.ts';
import { openRowOwnership } from '../lock/owns-path.ts';
import { rememberCaller, type Caller } from '../lock/delivered-to.ts';
import { interruptible } from '../interruptible.ts';
import { openLocalState } from '../lock/local-state.ts';
import { lockedId } from '../lock/locked-id.ts';
import { renameTargets } from '../lock/rename-targets.ts';
import { requireLock } from '../lock/require-lock.ts';
import type { LockFile } from '../lock/types.ts';
import { openPreparation, type Preparation } from '../materialize/preparation.ts';
import type { CatalogListing } from '../source/catalog-source.ts';
import { adviseRepeat, approveContent } from '../trust/approve-content.ts';
import { approveFolder, approvePaths, type ApprovedFolder } from '../trust/approve-folder.ts';
import { openContentPolicy, type ContentPolicy } from '../trust/content-policy.ts';
import { toReported } from '../trust/inspected-content.ts';
import { applyDirectory, type ApplyOptions } from './apply-directory.ts';
import { checkUnexpectedChanges } from './check-unexpected-changes.ts';
import type { Owner } from './desired-state.ts';
import { idleTargets } from './idle-targets.ts';
import { getIndex, removeIndex } from './index-file.ts';
import type { RunContent } from './inspect-plans.ts';
import { getJournal } from './journal.ts';
import { clearInterrupted } from './leftover-files.ts';
import { keepsLoaded, refuseNotLoaded, type Delivered } from './keep-loaded.ts';
import { checkLocked } from './locked.ts';
import { planDirectory, type DirectoryPlan, type TargetPlan } from './plan-directory.ts';
import { planTargets } from './plan-targets.ts';
import { refuseUnknown } from './refuse-unknown.ts';
import { refuseUnmatched } from './refuse-unmatched.ts';
import { reportDirectory } from './report-directory.ts';
import type { TargetReport } from './report.ts';
import { compilePathGlobs } from './path-globs.ts';
import { refuseRemoval } from './refuse-removal.ts';
import { requireConsent } from './require-consent.ts';
import { requireRecoveryConsent } from './require-recovery-consent.ts';
import { isStanding } from './standing-entry.ts';
import type { SyncOptions, SyncRun } from './sync-options.ts';
import { writingTo } from './target-error.ts';
import { resetToggles, togglesOf } from './toggles.ts';
import { indexKey, rememberRun } from './up-to-date.ts';

const DEFAULT_WAIT_MS = 60_000;

/**
 * Reads the registry, plans every folder, and only then writes: a refusal leaves everything as it
 * was.
 */
export async function deliver(
  run: SyncRun,
  folders: ReadonlyMap<string, readonly ResolvedTarget[]>,
  signal?: AbortSignal,
): Promise<TargetReport[]> {
  const { config, source, options } = run;
  const preparation = await openPreparation(config, options, signal);
  const approved = options.mode === 'sync' ? await approveAll(folders, run) : new Map();
  const holds = options.mode === 'sync' ? await holdAll(folders, options, signal) : [];
  try {
    options.onProgress?.({ phase: 'read', done: 0, total: 0 });
    const listing = await source.list(signal);
    refuseUnmatched(options.approve ?? [], listing, '--approve');
    const policy = openContentPolicy(config, listing);
    const plans: PlannedFolder[] = [];
    for (const [directory, targets] of folders) {
      const using = { ...run, preparation, policy };
      plans.push(await planFolder(directory, targets, listing, using, signal));
      await stopIfAborted(signal);
    }
    const viewer = await source.viewer?.(signal);
    const caller = viewer === undefined ? undefined : { registry: source.registry, viewer };
    for (const { plan, planned, targets } of plans) {
      await requireRecoveryConsent(plan, run);
      await refuseRemoval({ plan, planned, listing, config, options, caller });
      await requireConsent(plan, targets, run);
      await stopIfAborted(signal);
    }
    if (options.mode !== 'sync') {
      const { inspectPlans } = await import('./inspect-plans.ts');
      return reportContent(plans, inspectPlans(plans, policy, config, 'written'));
    }
    for (const { targets, planned } of plans) {
      for (const { locked, plan } of planned) {
        const target = targets.find(({ id }) => id === locked.id);
        const paths = plan.files.map(({ path }) => path);
        if (target !== undefined) await approvePaths(target, paths, config, options);
      }
    }
    const found = await inspectDelivered(plans, policy, config);
    // A plain sync would undo what these commands are for.
    const repeat = options.update !== undefined || options.toggle !== undefined;
    const content = await approveContent(
      found,
      config,
      repeat ? { ...options, adviseApproval: adviseRepeat } : options,
    );
    const reports: TargetReport[] = [];
    for (const planned of plans) {
      const folder = approved.get(planned.plan.directory);
      if (folder === undefined) continue;
      reports.push(...(await carryOut(planned, run, { folder, content }, caller, signal)));
    }
    return reports;
  } finally {
    for (const hold of holds) hold.release();
  }
}

/** Lets a signal arrive, which long synchronous work keeps waiting, and stops the run if one did. */
async function stopIfAborted(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}

/** Lists the executable content of a run, unless all of it is allowed: listing takes time. */
async function inspectDelivered(
  plans: readonly PlannedFolder[],
  policy: ContentPolicy,
  config: Config,
): Promise<RunContent> {
  if (policy.allows_all) return { written: [], delivered: [] };
  const { inspectPlans } = await import('./inspect-plans.ts');
  return inspectPlans(plans, policy, config, 'delivered');
}

/** Adds the executable content of a run that writes nothing to the report of the first target. */
function reportContent(plans: readonly PlannedFolder[], content: RunContent): TargetReport[] {
  const reports = plans.flatMap((folder) => folder.reports);
  const [first] = reports;
  if (first !== undefined && content.written.length > 0) {
    first.executable_content = content.written.map(toReported);
  }
  return reports;
}

async function approveAll(
  folders: ReadonlyMap<string, readonly ResolvedTarget[]>,
  { config, options }: SyncRun,
): Promise<Map<string, ApprovedFolder>> {
  const approved = new Map<string, ApprovedFolder>();
  for (const [directory, targets] of folders) {
    approved.set(directory, await approveFolder(directory, targets, config, options));
  }
  return approved;
}

/** In the order of their names, so that two syncs over the same folders cannot wait for each other. */
async function holdAll(
  folders: ReadonlyMap<string, unknown>,
  options: SyncOptions,
  signal?: AbortSignal,
): Promise<FileMutex[]> {
  const holds: FileMutex[] = [];
  try {
    for (const directory of folders.keys()) {
      const wait = { wait_ms: options.wait_ms ?? DEFAULT_WAIT_MS };
      const { onWait } = options;
      const held = onWait === undefined ? wait : { ...wait, onWait };
      holds.push(await writingTo(directory, () => holdTarget(directory, held, signal)));
    }
    return holds;
  } catch (error) {
    for (const hold of holds) hold.release();
    throw error;
  }
}

interface PlannedFolder {
  targets: readonly ResolvedTarget[];
  planned: readonly TargetPlan[];
  plan: DirectoryPlan;
  /** One per target, complete but for what applying adds. */
  reports: TargetReport[];
  /** True if the lock names targets by former ids. */
  renamed: boolean;
}

async function planFolder(
  directory: string,
  targets: readonly ResolvedTarget[],
  listing: CatalogListing,
  {
    config,
    adapters,
    source,
    options,
    preparation,
    policy,
  }: SyncRun & { preparation: Preparation; policy: ContentPolicy },
  signal?: AbortSignal,
): Promise<PlannedFolder> {
  const state = openLocalState(directory, config.home);
  await stopIfAborted(signal);
  const journal = getJournal(state);
  const rescued = options.mode === 'sync' ? clearInterrupted(state, journal) : [];
  const {
    lock: written,
    ignored,
    unowned,
    record,
    recovered,
    lock_hash,
  } = interruptible(() => requireLock(state, openRowOwnership(adapters), options.recover));
  await stopIfAborted(signal);
  const lock = renameTargets(written, targets, config);
  const toggles = togglesOf(lock, listing, options);
  refuseUnknown(options.update ?? [], listing, lock);
  refuseNotLoaded(options.release, lock);
  options.onProgress?.({ phase: 'plan', done: 0, total: listing.entries.length });
  const planned = await checkUnexpectedChanges(
    await planTargets(
      { targets, config, adapters, source, listing, lock, toggles, preparation, policy, options },
      signal,
    ),
    { directory, lock, listing, source, options },
    signal,
  );
  if (options.locked === true) checkLocked(directory, planned, lock);
  await stopIfAborted(signal);
  const isCarried = carriedBy(
    config,
    planned,
    lock,
    keepsLoaded(lock, planned.map(toDelivered), options.release),
  );
  const input = {
    state,
    lock,
    lock_hash,
    journal,
    index: getIndex(state),
    targets: planned,
    isCarried,
    toggles,
    record,
    recovered,
    ignored,
    recover: options.recover,
    takes_over: compileTakeOver(options.take_over),
  };
  const [plan, reports] = interruptible(() => {
    const made = planDirectory(input);
    return [made, reportDirectory(made, planned, targets, listing)] as const;
  });
  const toggles_reset = resetToggles(lock, listing, planned, options);
  const [first] = reports;
  first?.kept.push(...rescued);
  if (first !== undefined && unowned.length > 0) first.unowned = unowned;
  if (first !== undefined && toggles_reset !== undefined) first.toggles_reset = toggles_reset;
  return { targets, planned, plan, reports, renamed: lock !== written };
}

function compileTakeOver(
  globs: readonly string[] | undefined,
): ((path: string) => boolean) | undefined {
  if (globs === undefined || globs.length === 0) return undefined;
  return compilePathGlobs(globs, '--take-over');
}

function toDelivered({ locked: { harness }, artifacts }: TargetPlan): Delivered {
  return { harness, artifacts };
}

/**
 * Targets that are configured but not part of this run keep their files, and so does what an update
 * of other artifacts left alone, what an agent loaded, and what the registry can no longer read.
 * Targets no longer configured do not.
 */
function carriedBy(
  config: Config,
  planned: readonly TargetPlan[],
  lock: LockFile,
  isKept: (owner: Owner) => boolean,
): (owner: Owner) => boolean {
  const isIdle = idleTargets(config);
  const frozen = new Map(
    planned.flatMap(({ locked, frozen: ids }) =>
      [locked.id, lockedId(locked, lock)].map((id) => [id, ids] as const),
    ),
  );
  return (owner) =>
    isIdle(owner.target) ||
    isStanding(owner) ||
    isKept(owner) ||
    frozen.get(owner.target)?.has(owner.id) === true;
}

async function carryOut(
  { targets, plan, reports, renamed }: PlannedFolder,
  run: SyncRun,
  approved: Pick<ApplyOptions, 'folder' | 'content'>,
  caller: Caller | undefined,
  signal?: AbortSignal,
): Promise<TargetReport[]> {
  const { source, options } = run;
  const { onProgress } = options;
  const { kept, backups, changed_meanwhile, lock_hash } = await writingTo(plan.directory, () =>
    applyDirectory(
      plan,
      {
        ...approved,
        rewrite_lock: options.rewrite_lock === true || renamed,
        ...(onProgress === undefined
          ? {}
          : { onProgress: (done, total) => onProgress({ phase: 'write', done, total }) }),
      },
      signal,
    ),
  );
  const [first] = reports;
  if (first !== undefined) {
    first.kept.push(...kept);
    if (changed_meanwhile.length > 0) first.changed_meanwhile = changed_meanwhile;
    if (backups.length > 0) first.backups = backups;
  }
  if (caller !== undefined) rememberCaller(plan.state, caller);
  if (changed_meanwhile.length > 0) removeIndex(plan.state);
  // A run that left artifacts alone on purpose says nothing about what the next one has to do.
  else if (options.update === undefined) {
    const key = indexKey(run, targets);
    rememberRun(plan, reports, source, { key, lock_hash });
  }
  return reports;
}
