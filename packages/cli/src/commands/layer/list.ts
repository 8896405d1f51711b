import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { layerListDefinition } from './definition.ts';
import { renderLayers } from './render-layers.ts';

type Input = CommandInput<typeof layerListDefinition>;

export async function run({ flags }: Input, session: Session): Promise<CommandResult> {
  const { deleted } = flags;
  const list = await loadRegistryServer(session, flags).listLayers({ deleted }, session.signal);
  if (list.layers.length > 0) return { lines: renderLayers(list.layers), json: list };
  return {
    lines: [
      deleted
        ? 'No removed layers to restore.'
        : 'No layers you can read. To register one, run `catalog layer register base --local-path ./artifacts`.',
    ],
    json: list,
  };
}
