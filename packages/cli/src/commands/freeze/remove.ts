import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { freezeRemoveDefinition } from './definition.ts';
import { replaceWindow } from './replace-window.ts';

type Input = CommandInput<typeof freezeRemoveDefinition>;

export async function run(
  { flags, arguments: { name } }: Input,
  session: Session,
): Promise<CommandResult> {
  const client = loadRegistryServer(session, flags);
  const before = await client.getFreezeWindows(session.signal);
  if (!before.windows.some((window) => window.source === 'stored' && window.name === name)) {
    throw new CatalogError('registry.not_found', `No stored freeze window is called \`${name}\`.`, {
      details: { id: name },
      suggested_action: 'List the windows with `catalog freeze list`.',
    });
  }
  await replaceWindow(client, before, { name }, flags, session.signal);
  return { lines: [`Removed the window ${name}`], json: { removed: name } };
}
