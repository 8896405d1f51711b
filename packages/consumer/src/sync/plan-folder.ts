import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { compileGlobs, globProblem } from '@catalog/core/glob/glob';
import type { Config, ResolvedTarget } from '../config/types.ts';
import { interruptible, stopIfAborted } from '../interruptible.ts';
import { openLocalState } from '../lock/local-state.ts';
import { lockedId } from '../lock/locked-id.ts';
import { openRowOwnership } from '../lock/owns-path.ts';
import { renameTargets } from '../lock/rename-targets.ts';
import { requireLock } from '../lock/require-lock.ts';
import type { LockFile } from '../lock/types.ts';
import type { Preparation } from '../materialize/preparation.ts';
import type { CatalogListing } from '../source/catalog-source.ts';
import type { ContentPolicy } from '../trust/content-policy.ts';
import { judgeUnexpectedChanges } from './check-unexpected-changes.ts';
import type { Owner } from './desired-state.ts';
import type { UnexpectedChange } from './find-unexpected-changes.ts';
import { idleTargets } from './idle-targets.ts';
import { getIndex } from './index-file.ts';
import { getJournal } from './journal.ts';
import { keepsLoaded } from './keep-loaded.ts';
import { clearInterrupted } from './leftover-files.ts';
import { planDirectory, type DirectoryPlan, type TargetPlan } from './plan-directory.ts';
import { planTargets } from './plan-targets.ts';
import { reportDirectory } from './report-directory.ts';
import type { TargetReport } from './report.ts';
import { checkRequest } from './safety/safety-rules.ts';
import { isManualEntry } from './manual-entry.ts';
import type { SyncRun } from './sync-options.ts';
import { resetToggles, togglesOf } from './toggles.ts';

/** Plan of a folder with its targets and reports, before anything is written. */
export interface PlannedFolder {
  targets: readonly ResolvedTarget[];
  planned: readonly TargetPlan[];
  plan: DirectoryPlan;
  unexpected: readonly UnexpectedChange[];
  reports: TargetReport[];
  renamed: boolean;
}

interface PlanningRun extends SyncRun {
  listing: CatalogListing;
  preparation: Preparation;
  policy: ContentPolicy;
}

/** Plans a folder, after cleaning up an interrupted run. */
export async function planFolder(
  directory: string,
  targets: readonly ResolvedTarget[],
  { config, adapters, source, options, listing, preparation, policy }: PlanningRun,
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
  checkRequest({ options, listing, lock });
  const toggles = togglesOf(lock, options);
  options.onProgress?.({ phase: 'plan', done: 0, total: listing.entries.length });
  const { planned, refused } = await judgeUnexpectedChanges(
    await planTargets(
      { targets, config, adapters, source, listing, lock, toggles, preparation, policy, options },
      signal,
    ),
    { lock, listing, source, options },
    signal,
  );
  await stopIfAborted(signal);
  const takes_over = compileTakeOver(options.take_over);
  const input = {
    state,
    lock,
    lock_hash,
    journal,
    index: getIndex(state),
    targets: planned,
    isCarried: carriedBy(config, planned, lock, options),
    toggles,
    record,
    recovered,
    ignored,
    recover: options.recover,
    takes_over,
    adopted:
      takes_over === undefined
        ? []
        : (await import('./adopted-in.ts')).adoptedIn(directory, planned, {
            config,
            adapters,
            lock,
            takes_over,
          }),
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
  return { targets, planned, plan, unexpected: refused, reports, renamed: lock !== written };
}

function compileTakeOver(
  globs: readonly string[] | undefined,
): ((path: string) => boolean) | undefined {
  if (globs === undefined || globs.length === 0) return undefined;
  return compilePathGlobs(globs, '--take-over');
}

/**
 * Returns a check for rows that stay: those of targets that do not run, and of artifacts that an update does not name,
 * that an agent loaded, or that can no longer be read.
 */
function carriedBy(
  config: Config,
  planned: readonly TargetPlan[],
  lock: LockFile,
  { release }: SyncRun['options'],
): (owner: Owner) => boolean {
  const isIdle = idleTargets(config);
  const delivered = planned.map(({ locked: { harness }, artifacts }) => ({ harness, artifacts }));
  const isKept = keepsLoaded(lock, delivered, release);
  const frozen = new Map(
    planned.flatMap(({ locked, frozen: ids }) =>
      [locked.id, lockedId(locked, lock)].map((id) => [id, ids] as const),
    ),
  );
  return (owner) =>
    isIdle(owner.target) ||
    isManualEntry(owner) ||
    isKept(owner) ||
    frozen.get(owner.target)?.has(owner.id) === true;
}

/** Compiles patterns of paths; a folder matches everything in it. */
function compilePathGlobs(globs: readonly string[], flag: string): (path: string) => boolean {
  const patterns = globs.map((glob) => glob.replace(/^\.\//, '').replace(/\/+$/, ''));
  for (const pattern of patterns) {
    const problem = globProblem(pattern);
    if (problem === undefined) continue;
    throw new CatalogError('config.invalid', `The pattern \`${pattern}\` of ${flag} ${problem}.`, {
      details: { value: pattern },
      suggested_action: 'Write a glob over paths, such as .claude/skills/** or AGENTS.md.',
    });
  }
  return compileGlobs([...patterns, ...patterns.map((pattern) => `${pattern}/**`)], 'scope');
}
