import type { ChosenFormat } from '@catalog/harness/marketplace/find-format';
import { now } from '../clock.ts';
import type { MarketplaceTarget } from '../config/types.ts';
import { acquireTargetLock } from '../lock/acquire-target-lock.ts';
import { makeStateFolder, statePath, writeStateFile } from '../lock/state-folder.ts';
import { changedMeanwhile } from '../sync/changed-meanwhile.ts';
import { type ApprovedFolder, approveFolder, approvePaths } from '../trust/approve-folder.ts';
import { toReported } from '../trust/inspected-content.ts';
import { applyDirectory } from '../sync/apply-directory.ts';
import type { DirectoryPlan } from '../sync/plan-directory.ts';
import type { TargetReport } from '../sync/report.ts';
import type { SyncRun } from '../sync/sync-options.ts';
import { writingTo } from '../sync/target-error.ts';
import { approveRendered, inspectRendered } from './approve-rendered.ts';
import { checkOut } from './check-out.ts';
import { changeOf, commitMessage } from './commit-message.ts';
import { describeCommand } from './describe-command.ts';
import { withoutSecrets } from './without-secrets.ts';
import { type Git, openGit } from './git.ts';
import { clearPending, openPending, type PendingChange } from './pending-change.ts';
import { push } from './push.ts';
import { planMarketplace } from './render-target.ts';
import type { StepReport } from './report.ts';
import { runOnError, runStep, type Workflow } from './run-workflow.ts';
import { type Variables, workflowVariables } from './workflow-variables.ts';
import type { ArtifactMove } from '../sync/artifact-moves.ts';

const DEFAULT_WAIT_MS = 60_000;

export async function previewMarketplace(
  target: MarketplaceTarget,
  formats: readonly ChosenFormat[],
  run: SyncRun,
  signal?: AbortSignal,
): Promise<TargetReport> {
  const planned = await planMarketplace(target, formats, run, signal);
  const { report, plugins } = planned;
  const content = await inspectRendered(target, planned, run, {});
  if (content !== undefined && content.written.length > 0) {
    report.executable_content = content.written.map(toReported);
  }
  const steps = (['prepare', 'publish'] as const).flatMap((step) =>
    target.workflow[step].map((command): StepReport => {
      return { step, command: describeCommand(command), outcome: 'not-run' };
    }),
  );
  const { publish, git } = target;
  if (publish !== undefined && git !== undefined) {
    steps.push({ step: 'git', command: describePush(git), outcome: 'not-run' });
  }
  return { ...report, marketplace: { plugins, steps } };
}

/**
 * Prepares, renders and publishes a marketplace (CLI-05). The folder is locked before the first command, so that runs
 * never overlap.
 */
export async function runMarketplace(
  workflow: Workflow,
  formats: readonly ChosenFormat[],
  run: SyncRun,
  signal?: AbortSignal,
): Promise<TargetReport> {
  const { directory } = workflow.target;
  const folder = await approveFolder(directory, [workflow.target], run.config, run.options);
  const { wait_ms = DEFAULT_WAIT_MS, onWait } = run.options;
  const held = onWait === undefined ? { wait_ms } : { wait_ms, onWait };
  const hold = await writingTo(directory, () => acquireTargetLock(directory, held, signal));
  try {
    return await runHeld(workflow, formats, run, folder, signal);
  } finally {
    hold.release();
  }
}

async function runHeld(
  workflow: Workflow,
  formats: readonly ChosenFormat[],
  run: SyncRun,
  folder: ApprovedFolder,
  signal?: AbortSignal,
): Promise<TargetReport> {
  const { target, env, steps } = workflow;
  const { directory, git: destination, publish } = target;
  const git = openGit(target, env, signal);
  if (publish !== undefined && destination !== undefined) {
    await checkOut(directory, destination, git);
  }
  const variables = workflowVariables(target, run.config);
  await runStep('prepare', workflow, variables, true, signal);
  // A command that cleans the folder also removes the state folder.
  makeStateFolder(directory);
  const planned = await planMarketplace(target, formats, run, signal);
  const { report, plan, plugins, files } = planned;
  const paths = files.map(({ path }) => path);
  await approvePaths(target, paths, run.config, run.options);
  const content = await approveRendered(target, planned, run);
  const pending = openPending(plan, report);
  const { kept, changed_meanwhile } = await writingTo(directory, () =>
    applyDirectory(plan, { folder, content, rewrite_lock: false }, signal),
  );
  if (changed_meanwhile.length > 0) throw changedMeanwhile(directory, changed_meanwhile, kept);
  const step_base = { ...report, kept: [...report.kept, ...kept], marketplace: { plugins, steps } };
  workflow.rendered = step_base;
  const after = { ...variables, ...afterRendering(target, pending) };
  await runStep('publish', workflow, after, pending.changed, signal);
  const commit = await pushRendered(workflow, plan, git, after, signal);
  clearPending(plan.state);
  return commit === undefined
    ? step_base
    : { ...step_base, marketplace: { plugins, steps, commit } };
}

async function pushRendered(
  workflow: Workflow,
  { lock }: DirectoryPlan,
  git: Git,
  variables: Variables,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { target, steps } = workflow;
  const { git: destination, publish } = target;
  if (publish === undefined || destination === undefined) return undefined;
  const step_base = { step: 'git', command: describePush(destination) } as const;
  try {
    const commit = await push(target, destination, lock, git, now());
    steps.push({ ...step_base, outcome: commit === undefined ? 'skipped' : 'done' });
    return commit;
  } catch (error) {
    steps.push({ ...step_base, outcome: 'failed' });
    await runOnError('publish_on_error', workflow, variables, signal);
    throw error;
  }
}

function describePush({ remote, branch }: NonNullable<MarketplaceTarget['git']>): string {
  return `push to ${withoutSecrets(remote)} (${branch})`;
}

function afterRendering(
  target: MarketplaceTarget,
  { changed, moved }: PendingChange,
): Record<string, string> {
  const { id, directory } = target;
  return {
    CATALOG_CHANGED: String(changed),
    CATALOG_CHANGE_SUMMARY: writeChangeSummary(directory, id, changed, moved),
    CATALOG_COMMIT_MESSAGE: commitMessage(target, moved, now()),
  };
}

/** Writes a summary of the changes for publishing commands, to the state folder, which is never committed. */
function writeChangeSummary(
  directory: string,
  output: string,
  changed: boolean,
  moves: readonly ArtifactMove[],
): string {
  const path = `${statePath(directory)}/publish-change-summary.json`;
  const artifacts = moves.map((move) => ({ ...move, change: changeOf(move) }));
  const summary = { output, changed, count: moves.length, artifacts };
  writeStateFile(path, `${JSON.stringify(summary, undefined, 2)}\n`);
  return path;
}
