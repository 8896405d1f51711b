import { usageError } from '../command/usage-errors.ts';

/** Returns the value of `--config`, which is required here, unlike in other commands. */
export function readServerConfigFlag(
  given: string | true | undefined,
  command: string,
): string | undefined {
  if (given !== true) return given;
  throw usageError('--config needs a file for this command.', 'Use `--config=registry.yaml`.', {
    command,
    argument: '--config',
  });
}
