import { resolve } from 'node:path';
import { backUp } from '@catalog/server/compose-operations';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { shortPath } from '../../output/places.ts';
import type { adminBackupDefinition } from './definition.ts';
import { readSettings, toHooks } from './read-settings.ts';
import { describeCopy } from './render-copy.ts';

export async function run(
  input: CommandInput<typeof adminBackupDefinition>,
  session: Session,
): Promise<CommandResult> {
  const settings = readSettings(input.flags, 'admin backup', session);
  const folder = resolve(session.cwd, input.arguments.folder);
  const report = await backUp(settings, folder, toHooks(session));
  return {
    lines: [`Backed up ${describeCopy(report)} to ${shortPath(folder, session)}`],
    json: { folder, ...report },
  };
}
