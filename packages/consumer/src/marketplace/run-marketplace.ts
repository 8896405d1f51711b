import type { ChosenFormat } from '@catalog/harness/marketplace/find-format';
import { now } from '../clock.ts';
import type { MarketplaceTarget } from '../config/types.ts';
import { holdTarget } from '../lock/hold-target.ts';
import { makeStateFolder } from '../lock/state-folder.ts';
import { NO_CONTENT } from '../trust/approve-content.ts';
import { approveFolder, type ApprovedFolder } from '../trust/approve-folder.ts';
import { applyDirectory } from '../sync/apply-directory.ts';
import type { DirectoryPlan } from '../sync/plan-directory.ts';
import type { TargetReport } from '../sync/report.ts';
import type { SyncRun } from '../sync/sync-options.ts';
import { writingTo } from '../sync/target-error.ts';
import { writeChangeSummary } from './change-summary.ts';
import { checkOut } from './check-out.ts';
import { commitMessage } from './commit-message.ts';
import { describeCommand, withoutSecrets } from './describe-command.ts';
import { openGit, type Git } from './git.ts';
import { clearPending, openPending, type PendingChange } from './pending-change.ts';
import { push } from './push.ts';
import { planMarketplace } from './render-target.ts';
import type { StepReport } from './report.ts';
import { runOnError, runStep, type Workflow } from './run-workflow.ts';
import { workflowVariables, type Variables } from './workflow-variables.ts';

const DEFAULT_WAIT_MS = 60_000;

/** What would happen: nothing runs, and nothing is written. */
export async function previewMarketplace(
  target: MarketplaceTarget,
  formats: readonly ChosenFormat[],
  run: SyncRun,
  signal?: AbortSignal,
): Promise<TargetReport> {
  const { report, plugins } = await planMarketplace(target, formats, run, signal);
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
 * Prepares, renders and publishes, in that order (CLI-05); `workflow.steps` tells how far it came. The
 * folder is held before the first command, so that two runs never mix.
 */
export async function runMarketplace(
  workflow: Workflow,
  formats: readonly ChosenFormat[],
  run: SyncRun,
  signal?: AbortSignal,
): Promise<TargetReport> {
  const { directory } = workflow.target;
  const folder = await approveFolder(directory, run.config, run.options);
  const { wait_ms = DEFAULT_WAIT_MS, onWait } = run.options;
  const held = onWait === undefined ? { wait_ms } : { wait_ms, onWait };
  const hold = await writingTo(directory, () => holdTarget(directory, held, signal));
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
  // A command that cleans the folder takes the state with it.
  makeStateFolder(directory);
  const { report, plan, plugins } = await planMarketplace(target, formats, run, signal);
  const pending = openPending(plan, report);
  const { kept } = await writingTo(directory, () =>
    applyDirectory(plan, { folder, content: NO_CONTENT, rewrite_lock: false }, signal),
  );
  const told = { ...report, kept, marketplace: { plugins, steps } };
  workflow.rendered = told;
  const after = { ...variables, ...afterRendering(target, pending) };
  await runStep('publish', workflow, after, pending.changed, signal);
  const commit = await pushRendered(workflow, plan, git, after, signal);
  clearPending(directory);
  return commit === undefined ? told : { ...told, marketplace: { plugins, steps, commit } };
}

/** The built-in push, where the target asks for it; answers the commit where one was pushed. */
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
  const told = { step: 'git', command: describePush(destination) } as const;
  try {
    const commit = await push(target, destination, lock, git, now());
    steps.push({ ...told, outcome: commit === undefined ? 'skipped' : 'done' });
    return commit;
  } catch (error) {
    steps.push({ ...told, outcome: 'failed' });
    await runOnError('publish_on_error', workflow, variables, signal);
    throw error;
  }
}

function describePush({ remote, branch }: NonNullable<MarketplaceTarget['git']>): string {
  return `push to ${withoutSecrets(remote)} (${branch})`;
}

/** What commands learn once the repository is rendered. */
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
