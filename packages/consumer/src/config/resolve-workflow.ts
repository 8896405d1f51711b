import { parseDuration } from './duration.ts';
import type { Refuse } from './refuse-target.ts';
import type {
  MarketplaceTarget,
  StepCommand,
  TargetConfig,
  WorkflowCommand,
  WorkflowStep,
} from './types.ts';

/** Resolves a workflow. Each command needs exactly one of `run` and `sh` (CFG-07). */
export function resolveWorkflow(
  workflow: NonNullable<TargetConfig['workflow']>,
  refuse: Refuse,
): MarketplaceTarget['workflow'] {
  const resolveStep = (step: WorkflowStep): StepCommand[] =>
    (workflow[step] ?? []).map((command, position) =>
      resolveCommand(command, `workflow.${step}[${position}]`, refuse),
    );
  return {
    prepare: resolveStep('prepare'),
    publish: resolveStep('publish'),
    prepare_on_error: resolveStep('prepare_on_error'),
    publish_on_error: resolveStep('publish_on_error'),
  };
}

function resolveCommand(command: WorkflowCommand, place: string, refuse: Refuse): StepCommand {
  const { skip_if_no_changes = false, continue_on_error = false } = command;
  return {
    command: readCommand(command, place, refuse),
    skip_if_no_changes,
    continue_on_error,
    timeout_ms: readTimeout(command.timeout, place, refuse),
  };
}

function readCommand(
  { run, sh }: WorkflowCommand,
  place: string,
  refuse: Refuse,
): StepCommand['command'] {
  if (run !== undefined && sh !== undefined) {
    throw refuse(`has both run and sh in ${place}`, 'Remove one of the two.', 'workflow');
  }
  if (sh !== undefined) return { sh };
  if (run !== undefined && run.length > 0) return { run };
  throw refuse(
    `has neither run nor sh in ${place}`,
    'Write run: [program, argument], or sh: with a shell command line.',
    'workflow',
  );
}

function readTimeout(text: string | undefined, place: string, refuse: Refuse): number | undefined {
  if (text === undefined) return undefined;
  const length = parseDuration(text);
  if (length !== undefined) return length;
  const advice = 'Write a duration such as 30s or 5m, up to one day.';
  throw refuse(`has the invalid timeout ${text} in ${place}`, advice, 'workflow');
}
