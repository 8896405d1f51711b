import { existsSync } from 'node:fs';
import { now } from '../clock.ts';
import type { Config } from '../config/types.ts';
import { holdTarget } from '../lock/hold-target.ts';
import { requireLock } from '../lock/require-lock.ts';
import { emptyLock } from '../lock/types.ts';
import { NO_CONTENT } from '../trust/approve-content.ts';
import { approveFolder, type ApprovedFolder } from '../trust/approve-folder.ts';
import { applyDirectory } from './apply-directory.ts';
import { listMoves } from './artifact-moves.ts';
import { clearRecords } from './clear-records.ts';
import { clearTemporaries, getJournal } from './journal.ts';
import { planDirectory, type DirectoryPlan } from './plan-directory.ts';
import type { Change, FileChange, SyncReport, TargetReport } from './report.ts';
import { groupByDirectory } from './group-targets.ts';
import { writingTo } from './target-error.ts';
import type { SyncOptions } from './sync-options.ts';

type RemoveOptions = Pick<SyncOptions, 'wait_ms' | 'onWait' | 'trust' | 'confirmTrust'> & {
  dry_run: boolean;
  /** Take what marketplaces rendered, too. */
  marketplaces?: boolean;
};

/** Takes away everything catalog wrote into the folders of a configuration, and nothing else. */
export async function removeAll(
  config: Config,
  options: RemoveOptions,
  signal?: AbortSignal,
): Promise<SyncReport> {
  const started = now();
  const targets: TargetReport[] = [];
  const rendered = options.marketplaces === true ? config.marketplaces : [];
  const directories = [
    ...groupByDirectory(config.targets).keys(),
    ...rendered.map((target) => target.directory),
  ];
  for (const directory of directories) {
    targets.push(
      options.dry_run
        ? toReport(planRemoval(directory), [])
        : await removeFrom(await approveFolder(directory, config, options), options, signal),
    );
  }
  return { mode: 'remove', targets, duration_ms: now() - started };
}

async function removeFrom(
  directory: ApprovedFolder,
  { wait_ms = 60_000, onWait }: RemoveOptions,
  signal?: AbortSignal,
): Promise<TargetReport> {
  // Nothing was ever written here; looking for it must not write either.
  if (!existsSync(`${directory}/.catalog`)) return toReport(planRemoval(directory), []);
  const held = onWait === undefined ? { wait_ms } : { wait_ms, onWait };
  const hold = await writingTo(directory, () => holdTarget(directory, held, signal));
  try {
    clearTemporaries(directory, getJournal(directory));
    const plan = planRemoval(directory);
    const { kept } = await writingTo(directory, () =>
      applyDirectory(plan, { folder: directory, content: NO_CONTENT, rewrite_lock: false }, signal),
    );
    clearRecords(directory);
    return toReport(plan, kept);
  } finally {
    hold.release();
  }
}

function planRemoval(directory: string): DirectoryPlan {
  return planDirectory({
    directory,
    lock: requireLock(directory).lock,
    journal: getJournal(directory),
    index: undefined,
    targets: [],
    isCarried: () => false,
    toggles: emptyLock().toggles,
  });
}

function toReport(plan: DirectoryPlan, kept: TargetReport['kept']): TargetReport {
  const { files, entries, artifacts } = plan.previous;
  const owners = Map.groupBy([...files, ...entries], (row) => row.path);
  const change = (path: string, kind: Change): FileChange => ({
    path,
    change: kind,
    artifact_ids: [...new Set((owners.get(path) ?? []).map((row) => row.id))],
  });
  const shared = plan.shared
    .filter(({ changed }) => changed)
    .map(({ path, text }) => change(path, text === undefined ? 'removed' : 'changed'));
  const changes = [
    // What a person has of their own in a file is the first they want to know of.
    ...shared.filter((one) => one.change === 'changed'),
    ...plan.files.deletes.map((path) => change(path, 'removed')),
    ...shared.filter((one) => one.change === 'removed'),
  ];
  const [target] = plan.previous.targets;
  return {
    target: target?.id ?? 'default',
    directory: plan.directory,
    registry: target?.registry ?? '',
    harness: target?.harness ?? '',
    profile: target?.profile,
    artifacts: [],
    moved: listMoves(artifacts, []),
    changes,
    unchanged: 0,
    skipped: [],
    rejected: [],
    fallbacks: [],
    warnings: [],
    // What was the user's before catalog stays.
    pre_existing: plan.previous.pre_existing.map(({ path, at, id }) => ({
      path,
      artifact_id: id,
      ...(at === undefined ? {} : { at }),
    })),
    claimed: [],
    kept,
  };
}
