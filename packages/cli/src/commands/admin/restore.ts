import { resolve } from 'node:path';
import { restore } from '@catalog/server/compose-operations';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import type { adminRestoreDefinition } from './definition.ts';
import { readSettings, toHooks } from './read-settings.ts';
import { restoreResult } from './render-copy.ts';

export async function run(
  input: CommandInput<typeof adminRestoreDefinition>,
  session: Session,
): Promise<CommandResult> {
  const settings = readSettings(input.flags, 'admin restore', session);
  const folder = resolve(session.cwd, input.arguments.folder);
  return restoreResult('Restored', await restore(settings, folder, toHooks(session)));
}
