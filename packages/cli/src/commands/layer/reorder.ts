import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { layerReorderDefinition } from './definition.ts';
import { renderLayers } from './render-layers.ts';

type Input = CommandInput<typeof layerReorderDefinition>;

export async function run(
  { flags, arguments: { ids } }: Input,
  session: Session,
): Promise<CommandResult> {
  const list = await loadRegistryServer(session, flags).reorderLayers(ids, session.signal);
  return { lines: renderLayers(list.layers), json: list };
}
