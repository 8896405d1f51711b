import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { layerRestoreDefinition } from './definition.ts';
import { renderLayers } from './render-layers.ts';

type Input = CommandInput<typeof layerRestoreDefinition>;

export async function run(
  { flags, arguments: { id } }: Input,
  session: Session,
): Promise<CommandResult> {
  const client = loadRegistryServer(session, flags);
  const restored = await client.restoreLayer({ id }, session.signal);
  return {
    lines: [`Restored ${id} and its artifacts`, '', ...renderLayers([restored.layer])],
    json: restored,
  };
}
