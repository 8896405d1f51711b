import { measureSuccess, type CommandRun } from './measure-command.ts';

/** Runs a command that prints as JSON what the part of it that counts has cost. */
export function measureInside(
  command: readonly string[],
): CommandRun & { told: Record<string, number> } {
  const run = measureSuccess(command);
  const told: Record<string, number> = JSON.parse(run.stdout);
  const { wall_ms = 0, cpu_ms = 0 } = told;
  return { ...run, wall_ms, cpu_ms, told };
}
