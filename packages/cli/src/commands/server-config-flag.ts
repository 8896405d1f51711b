import { usageError } from '../command/usage-errors.ts';

/** `--config` where it means the registry's file: without a file it says nothing. */
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
