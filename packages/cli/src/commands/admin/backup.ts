import { resolve } from 'node:path';
import { addBackup, backUp } from '@catalog/server/compose-operations';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { shortPath } from '../../output/places.ts';
import type { adminBackupDefinition } from './definition.ts';
import { readSettings, toHooks } from './read-settings.ts';
import { describeCopy } from './render-copy.ts';

export async function run(
  { arguments: { folder: given }, flags }: CommandInput<typeof adminBackupDefinition>,
  session: Session,
): Promise<CommandResult> {
  const keep = readKeep(flags.keep);
  const settings = readSettings(flags, 'admin backup', session);
  const hooks = toHooks(session);
  const directory = resolve(session.cwd, given);
  if (keep === undefined) {
    const report = await backUp(settings, directory, hooks);
    return {
      lines: [`Backed up ${describeCopy(report)} to ${shortPath(directory, session)}`],
      json: { folder: directory, ...report },
    };
  }
  const report = await addBackup(settings, directory, keep, hooks);
  return {
    lines: [
      `Backed up ${describeCopy(report)} to ${shortPath(report.folder, session)}`,
      ...report.removed.map((folder) => `Removed ${shortPath(folder, session)}`),
    ],
    json: report,
  };
}

function readKeep(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (/^[1-9]\d{0,4}$/.test(given)) return Number(given);
  throw usageError(`--keep must be a number from 1 to 99999, not ${given}.`, 'Use `--keep 7`.', {
    command: 'admin backup',
    argument: '--keep',
  });
}
