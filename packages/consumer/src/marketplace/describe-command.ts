import { shellWord } from '@catalog/core/text/shell-word';
import type { MarketplaceTarget, StepCommand, WorkflowStep } from '../config/types.ts';
import { wordsOfShellLine, type CommandLine } from '../trust/named-files.ts';
import { withoutSecrets } from './without-secrets.ts';

/** A command as a person would type it. */
function commandLine({ command }: StepCommand): string {
  return 'sh' in command ? command.sh : command.run.map(shellWord).join(' ');
}

/** A command for reports and errors: without what somebody signs in with. */
export function describeCommand(step: StepCommand): string {
  return withoutSecrets(commandLine(step));
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

/** The command lines of a marketplace, to find the files they name. */
export function listCommandLines({
  directory,
  workflow,
}: Pick<MarketplaceTarget, 'directory' | 'workflow'>): CommandLine[] {
  return STEPS.flatMap((step) => workflow[step]).map(({ command }) => ({
    words: 'sh' in command ? wordsOfShellLine(command.sh) : command.run,
    base: directory,
    counts: 'scripts' as const,
  }));
}
