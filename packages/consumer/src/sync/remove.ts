import { existsSync } from 'node:fs';
import { now } from '../clock.ts';
import type { Config } from '../config/types.ts';
import { loadAdapters, type KnownAdapters } from '../adapters/load-adapters.ts';
import { openRowOwnership } from '../lock/owns-path.ts';
import { acquireTargetLock } from '../lock/acquire-target-lock.ts';
import { openLocalState, type LocalState } from '../lock/local-state.ts';
import { requireLock } from '../lock/require-lock.ts';
import { emptyLock } from '../lock/types.ts';
import { NO_CONTENT } from '../trust/approve-content.ts';
import { approveFolder, type ApprovedFolder, type FolderTarget } from '../trust/approve-folder.ts';
import { applyDirectory } from './apply-directory.ts';
import { listMoves } from './artifact-moves.ts';
import { clearRecords } from './clear-records.ts';
import { getJournal } from './journal.ts';
import { clearInterrupted, keepLateSaves } from './leftover-files.ts';
import { planDirectory, type DirectoryPlan } from './plan-directory.ts';
import { listPutBack } from './report-directory.ts';
import type { Change, FileChange, SyncReport, TargetReport } from './report.ts';
import { groupByDirectory } from './group-targets.ts';
import { checkPlan, type CheckedPlan } from './safety/safety-rules.ts';
import { writingTo } from './target-error.ts';
import type { SyncOptions } from './sync-options.ts';

type RemoveOptions = Pick<SyncOptions, 'wait_ms' | 'onWait' | 'trust' | 'confirmTrust'> & {
  dry_run: boolean;
  marketplaces?: boolean;
};

export async function removeAll(
  config: Config,
  options: RemoveOptions,
  signal?: AbortSignal,
): Promise<SyncReport> {
  const started = now();
  const adapters = await loadAdapters(config, options);
  const targets: TargetReport[] = [];
  const rendered = options.marketplaces === true ? config.marketplaces : [];
  const folders: [string, readonly FolderTarget[]][] = [
    ...groupByDirectory(config.targets),
    ...rendered.map((target): [string, FolderTarget[]] => [target.directory, [target]]),
  ];
  for (const [directory, named] of folders) {
    if (options.dry_run) {
      targets.push(toReport(planRemoval(openLocalState(directory, config.home), adapters), []));
      continue;
    }
    const folder = await approveFolder(directory, named, config, options, 'remove');
    targets.push(await removeFrom(folder, config.home, adapters, options, signal));
  }
  return { mode: 'remove', targets, duration_ms: now() - started };
}

async function removeFrom(
  directory: ApprovedFolder,
  home: string,
  adapters: KnownAdapters,
  { wait_ms = 60_000, onWait }: RemoveOptions,
  signal?: AbortSignal,
): Promise<TargetReport> {
  const state = openLocalState(directory, home);
  // Nothing was ever written to the folder, so no state folder is created.
  if (!existsSync(`${directory}/.catalog`)) return toReport(planRemoval(state, adapters), []);
  const held = onWait === undefined ? { wait_ms } : { wait_ms, onWait };
  const hold = await writingTo(directory, () => acquireTargetLock(directory, held, signal));
  try {
    const rescued = [...clearInterrupted(state, getJournal(state)), ...keepLateSaves(state)];
    const plan = planRemoval(state, adapters);
    const { kept, changed_meanwhile, lock_hash } = await writingTo(directory, () =>
      applyDirectory(plan, { folder: directory, content: NO_CONTENT, rewrite_lock: false }, signal),
    );
    if (changed_meanwhile.length === 0) {
      // A removal without changes also deletes the copies of the previous one.
      const keep_undo = toReport(plan, []).changes.length > 0;
      const cleared = clearRecords(state, { lock_hash, keep_undo });
      kept.push(...cleared.kept);
      changed_meanwhile.push(...cleared.changed_meanwhile);
    }
    const report = toReport(plan, [...rescued, ...kept]);
    return changed_meanwhile.length === 0 ? report : { ...report, changed_meanwhile };
  } finally {
    hold.release();
  }
}

function planRemoval(state: LocalState, adapters: KnownAdapters): CheckedPlan {
  const { lock, lock_hash, ignored } = requireLock(state, openRowOwnership(adapters));
  const plan = planDirectory({
    state,
    lock,
    lock_hash,
    ignored,
    journal: getJournal(state),
    index: undefined,
    targets: [],
    isCarried: () => false,
    toggles: emptyLock().toggles,
  });
  return checkPlan(plan);
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
    // Changed files come first, because they contain content of the user.
    ...shared.filter((one) => one.change === 'changed'),
    ...plan.files.writes.map(({ path }) => change(path, 'changed')),
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
    pre_existing: plan.previous.pre_existing.map(({ path, at, id }) => ({
      path,
      artifact_id: id,
      ...(at === undefined ? {} : { at }),
    })),
    claimed: [],
    ...listPutBack(plan),
    kept,
  };
}
