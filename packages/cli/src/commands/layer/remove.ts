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
      `removed ${id}; the next sync of each workspace takes its artifacts away`,
      `Next: \`catalog layer restore ${id}\` brings it back, for as long as the registry keeps it.`,
    ],
    json: removed,
  };
}
