import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { freezeListDefinition } from './definition.ts';
import { renderWindows } from './render-windows.ts';

type Input = CommandInput<typeof freezeListDefinition>;

export async function run({ flags }: Input, session: Session): Promise<CommandResult> {
  const { windows } = await loadRegistryServer(session, flags).getFreezeWindows(session.signal);
  if (windows.length > 0) return { lines: renderWindows(windows), json: { windows } };
  return {
    lines: ['No freeze windows. To create one, run `catalog freeze set <name>`.'],
    json: { windows },
  };
}
