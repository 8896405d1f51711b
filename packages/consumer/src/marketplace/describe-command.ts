import { shellWord } from '@catalog/core/text/shell-word';
import type { MarketplaceTarget, StepCommand, WorkflowStep } from '../config/types.ts';

/** A command as a person would type it. */
function commandLine({ command }: StepCommand): string {
  return 'sh' in command ? command.sh : command.run.map(shellWord).join(' ');
}

/** A command for reports and errors: without what somebody signs in with. */
export function describeCommand(step: StepCommand): string {
  return withoutSecrets(commandLine(step));
}

/** A text whose addresses are without what somebody signs in with. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(/(\w+:\/\/)[^\s/?#]*@/g, '$1');
}

const STEPS: readonly WorkflowStep[] = [
  'prepare',
  'prepare_on_error',
  'publish',
  'publish_on_error',
];

/** Everything a marketplace asks to run, for whoever decides whether to trust it: to the last sign. */
export function listWants({
  id,
  workflow,
  publish,
  git,
}: Pick<MarketplaceTarget, 'id' | 'workflow' | 'publish' | 'git'>): string[] {
  const commands = STEPS.flatMap((step) =>
    workflow[step].map((command) => `${id}: ${step}: ${commandLine(command)}`),
  );
  if (publish === undefined || git === undefined) return commands;
  return [...commands, `${id}: push to ${withoutSecrets(git.remote)} (${git.branch})`];
}
