import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { layerRemoveDefinition } from './definition.ts';

type Input = CommandInput<typeof layerRemoveDefinition>;

export async function run(
  { flags, arguments: { id } }: Input,
  session: Session,
): Promise<CommandResult> {
  const client = loadRegistryServer(session, flags);
  const removed = await client.unregisterLayer({ id }, session.signal);
  return {
    lines: [
      `Removed ${id}; the next sync of each workspace removes its artifacts`,
      `Next: to restore it during the recovery window, run \`catalog layer restore ${id}\`.`,
    ],
    json: removed,
  };
}
