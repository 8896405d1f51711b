import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { webhookListDefinition } from './definition.ts';
import { renderReceivers } from './render-receivers.ts';

type Input = CommandInput<typeof webhookListDefinition>;

export async function run({ flags }: Input, session: Session): Promise<CommandResult> {
  const list = await loadRegistryServer(session, flags).listWebhooks(session.signal);
  if (list.receivers.length > 0) return { lines: renderReceivers(list.receivers), json: list };
  return {
    lines: [
      'No webhook receivers. To create one, run `catalog webhook create https://ci.example.com/catalog`.',
    ],
    json: list,
  };
}
