import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { shorten } from '@catalog/core/text/shorten';
import type { MarketplaceTarget, StepCommand } from '../config/types.ts';
import type { Approved } from '../trust/approved.ts';
import type { TargetReport } from '../sync/report.ts';
import { describeCommand } from './describe-command.ts';
import { withoutSecrets } from './without-secrets.ts';
import type { StepReport } from './report.ts';
import { runProgram, type Outcome } from './run-program.ts';
import { fillVariables, type Variables } from './workflow-variables.ts';

export interface Workflow {
  target: Approved<MarketplaceTarget>;
  env: Readonly<Record<string, string | undefined>>;
  onLine: ((line: string) => void) | undefined;
  steps: StepReport[];
  rendered: TargetReport | undefined;
}

/** Runs the commands of a step up to the first failure, then those for errors, whose own failures are only recorded. */
export async function runStep(
  step: 'prepare' | 'publish',
  workflow: Workflow,
  variables: Variables,
  changed: boolean,
  signal?: AbortSignal,
): Promise<void> {
  const { target, steps } = workflow;
  const commands = target.workflow[step];
  for (const [position, command] of commands.entries()) {
    const step_report: StepReport = { step, command: describeCommand(command), outcome: 'done' };
    steps.push(step_report);
    if (command.skip_if_no_changes && step === 'publish' && !changed) {
      step_report.outcome = 'skipped';
      continue;
    }
    const outcome = await runCommand(command, workflow, variables, signal);
    if (outcome.status === 0) continue;
    step_report.outcome = 'failed';
    if (command.continue_on_error) continue;
    for (const rest of commands.slice(position + 1)) {
      steps.push({ step, command: describeCommand(rest), outcome: 'not-run' });
    }
    await runOnError(`${step}_on_error`, workflow, variables, signal);
    throw commandFailed(target.id, step, command, outcome);
  }
}

export async function runOnError(
  step: 'prepare_on_error' | 'publish_on_error',
  workflow: Workflow,
  variables: Variables,
  signal?: AbortSignal,
): Promise<void> {
  for (const command of workflow.target.workflow[step]) {
    const { status } = await runCommand(command, workflow, variables, signal);
    const outcome = status === 0 ? 'done' : 'failed';
    workflow.steps.push({ step, command: describeCommand(command), outcome });
  }
}

function runCommand(
  { command, timeout_ms }: StepCommand,
  { target, env, onLine }: Workflow,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Outcome> {
  const [program = '', ...words] =
    'sh' in command
      ? ['sh', '-c', command.sh]
      : command.run.map((word) => fillVariables(word, variables));
  const { directory } = target;
  return runProgram(
    { words: [program, ...words], directory, env: { ...env, ...variables }, timeout_ms, onLine },
    signal,
  );
}

const MAX_OUTPUT_LINES = 10;

function commandFailed(
  target: string,
  step: string,
  command: StepCommand,
  { status, output, timed_out }: Outcome,
): CatalogError {
  const printed = withoutSecrets(output.trim().split('\n').slice(-MAX_OUTPUT_LINES).join('\n'));
  const text = shorten(describeCommand(command));
  const how = timed_out ? 'timed out and was stopped' : `exited with ${status}`;
  return new CatalogError(
    'materialize.publish_failed',
    `${target}: ${step}: \`${text}\` ${how}.${printed === '' ? '' : `\n${printed}`}`,
    { details: { targets: [target], step, command: describeCommand(command), output: printed } },
  );
}
