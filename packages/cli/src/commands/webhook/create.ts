import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { webhookCreateDefinition } from './definition.ts';
import { readSecretFile } from './read-secret-file.ts';
import { renderReceiver } from './render-receivers.ts';
import { secretLines } from './secret-lines.ts';

type Input = CommandInput<typeof webhookCreateDefinition>;

export async function run(
  { flags, arguments: { url } }: Input,
  session: Session,
): Promise<CommandResult> {
  const { event, debounce, ordered, disabled } = flags;
  const secret = readSecretFile(flags['secret-file'], session);
  const client = loadRegistryServer(session, flags);
  const created = await client.createWebhook(
    {
      url,
      ...(secret === undefined ? {} : { secret }),
      ...(event === undefined ? {} : { event_filter: event }),
      ...(debounce === undefined ? {} : { debounce }),
      ...(ordered ? { ordered } : {}),
      ...(disabled ? { disabled } : {}),
    },
    session.signal,
  );
  const { id } = created;
  const next = disabled
    ? `to send events to it, run \`catalog webhook update ${id} --enable\``
    : `to send a test event, run \`catalog webhook test ${id}\``;
  return {
    lines: [
      'Created a webhook receiver',
      ...renderReceiver(created),
      ...(secret === undefined ? secretLines(created.secret) : []),
      `Next: ${next}.`,
    ],
    json: created,
  };
}
