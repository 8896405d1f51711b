import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { webhookShowDefinition } from './definition.ts';
import { nextForReceiver, renderReceiver } from './render-receivers.ts';

type Input = CommandInput<typeof webhookShowDefinition>;

export async function run(
  { flags, arguments: { id } }: Input,
  session: Session,
): Promise<CommandResult> {
  const receiver = await loadRegistryServer(session, flags).getWebhook(id, session.signal);
  return { lines: [...renderReceiver(receiver), ...nextForReceiver(receiver)], json: receiver };
}
