import type { UpdateLayerBody } from '@catalog/contract/records/layer';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { layerUpdateDefinition } from './definition.ts';
import { toLayerBody } from './layer-body.ts';
import { renderLayers } from './render-layers.ts';

type Input = CommandInput<typeof layerUpdateDefinition>;

export async function run(
  { flags, arguments: { id } }: Input,
  session: Session,
): Promise<CommandResult> {
  const client = loadRegistryServer(session, flags);
  const patch: UpdateLayerBody = {
    ...toLayerBody(flags, client.registry, session),
    ...(flags['clear-groups'] ? { groups: [] } : {}),
    ...(flags['clear-users'] ? { users: [] } : {}),
    ...(flags['rotate-webhook-secret'] ? { rotate_webhook_secret: true } : {}),
  };
  if (Object.keys(patch).length === 0) {
    throw usageError(
      `No change to ${id} was requested.`,
      'Pass at least one flag; see `catalog layer update --help`.',
      { command: 'layer update' },
    );
  }
  const updated = await client.updateLayer(id, patch, session.signal);
  const { layer, webhook_secret } = updated;
  return {
    lines: [
      ...renderLayers([layer]),
      ...(webhook_secret === undefined ? [] : [`secret ${webhook_secret}  (shown once)`]),
    ],
    json: updated,
  };
}
