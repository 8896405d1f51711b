import type { WebhookDelivery } from '@catalog/contract/records/webhook';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { readNumber } from '../read-number.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { webhookDeliveriesDefinition } from './definition.ts';
import { renderDeliveries, renderDelivery } from './render-deliveries.ts';

const DEFAULT_LIMIT = 20;
const PAGE = 200;

type Input = CommandInput<typeof webhookDeliveriesDefinition>;

export async function run(
  { flags, arguments: { id } }: Input,
  session: Session,
): Promise<CommandResult> {
  const { state, delivery } = flags;
  const limit = Math.max(1, readNumber('--limit', flags.limit) ?? DEFAULT_LIMIT);
  const client = loadRegistryServer(session, flags);
  if (delivery !== undefined) {
    const details = await client.getWebhookDelivery(id, delivery, session.signal);
    return { lines: [...renderDelivery(details), ...nextFor(id, details)], json: details };
  }
  const deliveries: WebhookDelivery[] = [];
  let cursor: string | undefined;
  do {
    const query = { state, cursor, limit: Math.min(PAGE, limit - deliveries.length) };
    const page = await client.listWebhookDeliveries(id, query, session.signal);
    deliveries.push(...page.deliveries);
    cursor = page.next_cursor;
  } while (cursor !== undefined && deliveries.length < limit);
  const json = { deliveries, has_more: cursor !== undefined };
  if (deliveries.length === 0) {
    const which = state === undefined ? 'No deliveries' : `No ${state} deliveries`;
    return { lines: [`${which}. To send one, run \`catalog webhook test ${id}\`.`], json };
  }
  return {
    lines: [
      ...renderDeliveries(deliveries),
      ...(cursor === undefined ? [] : [`and more; to list them, add --limit ${limit * 5}`]),
    ],
    json,
  };
}

function nextFor(id: string, { id: delivery, state }: WebhookDelivery): string[] {
  if (state !== 'failed') return [];
  return [`Next: to send it again, run \`catalog webhook redeliver ${id} ${delivery}\`.`];
}
