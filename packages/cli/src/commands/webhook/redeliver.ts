import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { webhookRedeliverDefinition } from './definition.ts';

type Input = CommandInput<typeof webhookRedeliverDefinition>;

export async function run(
  { flags, arguments: { id, delivery } }: Input,
  session: Session,
): Promise<CommandResult> {
  const client = loadRegistryServer(session, flags);
  const queued = await client.redeliverWebhook(id, delivery, session.signal);
  return {
    lines: [
      `Queued ${queued.id} (${queued.event})`,
      `Next: to see the result, run \`catalog webhook deliveries ${id} --delivery ${queued.id}\`.`,
    ],
    json: queued,
  };
}
