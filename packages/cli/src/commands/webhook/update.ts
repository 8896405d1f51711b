import type { UpdateWebhookBody } from '@catalog/contract/records/webhook';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { generateSecret } from '../../id.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { webhookUpdateDefinition } from './definition.ts';
import { readSecretFile } from './read-secret-file.ts';
import { renderReceiver } from './render-receivers.ts';
import { secretLines } from './secret-lines.ts';

type Input = CommandInput<typeof webhookUpdateDefinition>;

export async function run(
  { flags, arguments: { id } }: Input,
  session: Session,
): Promise<CommandResult> {
  const generated = flags['rotate-secret'] ? generateSecret() : undefined;
  const secret = generated ?? readSecretFile(flags['secret-file'], session);
  const patch = toPatch(flags, secret);
  if (Object.keys(patch).length === 0) {
    throw usageError(
      `No change to ${id} was requested.`,
      'Pass at least one flag; see `catalog webhook update --help`.',
      { command: 'webhook update' },
    );
  }
  const client = loadRegistryServer(session, flags);
  const updated = await client.updateWebhook(id, patch, session.signal);
  const rotated =
    secret === undefined ? [] : ['For 24 hours, deliveries are signed with both secrets.'];
  return {
    lines: [
      'Updated the webhook receiver',
      ...renderReceiver(updated),
      ...(generated === undefined ? [] : secretLines(generated)),
      ...rotated,
    ],
    json: generated === undefined ? updated : { ...updated, secret: generated },
  };
}

function toPatch(flags: Input['flags'], secret: string | undefined): UpdateWebhookBody {
  const { url, event, debounce, ordered, enable, disable } = flags;
  return {
    ...(url === undefined ? {} : { url }),
    ...(event === undefined ? {} : { event_filter: event }),
    ...(flags['all-events'] ? { event_filter: null } : {}),
    ...(debounce === undefined ? {} : { debounce }),
    ...(flags['no-debounce'] ? { debounce: '' } : {}),
    ...(ordered ? { ordered } : {}),
    ...(flags['no-ordered'] ? { ordered: false } : {}),
    ...(enable ? { disabled: false } : {}),
    ...(disable ? { disabled: true } : {}),
    ...(secret === undefined ? {} : { secret }),
  };
}
