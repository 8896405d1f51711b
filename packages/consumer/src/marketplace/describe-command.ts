import { shellWord } from '@catalog/core/text/shell-word';
import type { MarketplaceTarget, StepCommand, WorkflowStep } from '../config/types.ts';
import { wordsOfShellLine, type CommandLine } from '../trust/named-files.ts';
import { withoutSecrets } from './without-secrets.ts';

function commandLine({ command }: StepCommand): string {
  return 'sh' in command ? command.sh : command.run.map(shellWord).join(' ');
}

/** Formats a command for reports and errors, without credentials. */
export function describeCommand(step: StepCommand): string {
  return withoutSecrets(commandLine(step));
}

const STEPS: readonly WorkflowStep[] = [
  'prepare',
  'prepare_on_error',
  'publish',
  'publish_on_error',
];

/** Lists everything that a marketplace will run, for the trust prompt. */
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
