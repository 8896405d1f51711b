/**
 * Runs one command in its own process, which the preload `../sync-kill/kill-at-operation.ts` may
 * kill.
 */
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { runCommand, type Command, type Place } from './engine.ts';

const { place, command }: { place: Place; command: Command } = JSON.parse(process.argv[2] ?? '');
try {
  await runCommand(place, command);
  process.stdout.write(JSON.stringify({ kind: 'done' }));
} catch (error) {
  const outcome =
    error instanceof CatalogError
      ? { kind: 'refused', code: error.code, message: error.message }
      : { kind: 'broke', error: String(error) };
  process.stdout.write(JSON.stringify(outcome));
}
