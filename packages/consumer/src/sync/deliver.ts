import type { FileMutex } from '@catalog/core/node/file-mutex';
import type { Config, ResolvedTarget } from '../config/types.ts';
import { stopIfAborted } from '../interruptible.ts';
import { rememberCaller, type Caller } from '../lock/delivered-to.ts';
import { acquireTargetLock } from '../lock/acquire-target-lock.ts';
import { openPreparation } from '../materialize/preparation.ts';
import { adviseRepeat, approveContent } from '../trust/approve-content.ts';
import { approveFolder, approvePaths, type ApprovedFolder } from '../trust/approve-folder.ts';
import { openContentPolicy, type ContentPolicy } from '../trust/content-policy.ts';
import { toReported } from '../trust/inspected-content.ts';
import { applyDirectory, type ApplyOptions } from './apply-directory.ts';
import { removeIndex } from './index-file.ts';
import type { RunContent } from './inspect-plans.ts';
import { planFolder, type PlannedFolder } from './plan-folder.ts';
import type { TargetReport } from './report.ts';
import { gatherFacts } from './safety/gather-facts.ts';
import {
  confirmPrompts,
  checkContent,
  checkSync,
  type CheckedSync,
} from './safety/safety-rules.ts';
import type { SyncOptions, SyncRun } from './sync-options.ts';
import { writingTo } from './target-error.ts';
import { indexKey, rememberRun } from './up-to-date.ts';

const DEFAULT_WAIT_MS = 60_000;

/**
 * Plans all folders, checks all plans, and asks the user, before anything is written. If a check fails, nothing
 * changes.
 */
export async function deliver(
  run: SyncRun,
  folders: ReadonlyMap<string, readonly ResolvedTarget[]>,
  signal?: AbortSignal,
): Promise<TargetReport[]> {
  const { config, source, options } = run;
  const preparation = await openPreparation(config, options, signal);
  const approved = options.mode === 'sync' ? await approveAll(folders, run) : new Map();
  const holds = options.mode === 'sync' ? await acquireAllLocks(folders, options, signal) : [];
  try {
    options.onProgress?.({ phase: 'read', done: 0, total: 0 });
    const listing = await source.list(signal);
    const policy = openContentPolicy(config, listing);
    const plans: PlannedFolder[] = [];
    for (const [directory, targets] of folders) {
      const planning = { ...run, listing, preparation, policy };
      plans.push(await planFolder(directory, targets, planning, signal));
      await stopIfAborted(signal);
    }
    const viewer = await source.viewer?.(signal);
    const caller = viewer === undefined ? undefined : { registry: source.registry, viewer };
    const checked: CheckedFolder[] = [];
    for (const planned of plans) {
      checked.push({ ...planned, ...checkSync(gatherFacts(planned, run, { listing, caller })) });
      await stopIfAborted(signal);
    }
    if (options.mode !== 'sync') {
      const { inspectPlans } = await import('./inspect-plans.ts');
      return reportContent(plans, inspectPlans(plans, policy, config, 'written'));
    }
    const found = await inspectDelivered(plans, policy, config);
    checkContent(found);
    await confirmPrompts(checked.flatMap(({ questions }) => questions));
    for (const planned of plans) await approvePlanned(planned, run);
    const repeat = options.update !== undefined || options.toggle !== undefined;
    const content = await approveContent(
      found,
      config,
      repeat ? { ...options, adviseApproval: adviseRepeat } : options,
    );
    const reports: TargetReport[] = [];
    for (const planned of checked) {
      const folder = approved.get(planned.plan.directory);
      if (folder === undefined) continue;
      reports.push(...(await runDelivery(planned, run, { folder, content }, caller, signal)));
    }
    return reports;
  } finally {
    for (const hold of holds) hold.release();
  }
}

/** Lists executable content. If all of it is allowed, nothing is listed, because that is slow. */
async function inspectDelivered(
  plans: readonly PlannedFolder[],
  policy: ContentPolicy,
  config: Config,
): Promise<RunContent> {
  if (policy.allows_all) return { written: [], delivered: [] };
  const { inspectPlans } = await import('./inspect-plans.ts');
  return inspectPlans(plans, policy, config, 'delivered');
}

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

/** Locks folders in order of their names, so that two syncs cannot block each other. */
async function acquireAllLocks(
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
      holds.push(await writingTo(directory, () => acquireTargetLock(directory, held, signal)));
    }
    return holds;
  } catch (error) {
    for (const hold of holds) hold.release();
    throw error;
  }
}

async function approvePlanned(
  { targets, planned }: PlannedFolder,
  { config, options }: SyncRun,
): Promise<void> {
  for (const { locked, plan } of planned) {
    const target = targets.find(({ id }) => id === locked.id);
    const paths = plan.files.map(({ path }) => path);
    if (target !== undefined) await approvePaths(target, paths, config, options);
  }
}

type CheckedFolder = PlannedFolder & CheckedSync;

async function runDelivery(
  { targets, plan, reports, renamed }: CheckedFolder,
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
  // After an update of single artifacts, the next run may still have work to do.
  else if (options.update === undefined) {
    const key = indexKey(run, targets);
    rememberRun(plan, reports, source, { key, lock_hash });
  }
  return reports;
}
