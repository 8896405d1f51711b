import type { WebhookDelivery } from '@catalog/contract/records/webhook';
import type { RegistryClient } from '@catalog/sdk/client';
import { delay } from '@catalog/sdk/idle-timeout';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { now } from '../../clock.ts';
import { styled, type Line } from '../../output/text.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { webhookTestDefinition } from './definition.ts';
import { describeAttempt, renderText } from './render-deliveries.ts';

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1_000;
/** Maximum wait, longer than the delivery timeout of the registry, so that its timeout is reported. */
const MAX_WAIT_MS = 35_000;

type Input = CommandInput<typeof webhookTestDefinition>;

export async function run(
  { flags, arguments: { id } }: Input,
  session: Session,
): Promise<CommandResult> {
  const client = loadRegistryServer(session, flags);
  const queued = await client.testWebhook(id, session.signal);
  const delivery = await waitForAttempt(client, id, queued, session);
  const isDelivered = delivery.state === 'delivered';
  return {
    lines: isDelivered ? deliveredLines(delivery) : failedLines(id, delivery),
    json: delivery,
    exit: isDelivered ? 0 : 1,
  };
}

/** Waits for the first attempt. Earlier registries retry a failed test, which is not awaited. */
async function waitForAttempt(
  client: RegistryClient,
  id: string,
  queued: WebhookDelivery,
  session: Session,
): Promise<WebhookDelivery> {
  const end = now() + MAX_WAIT_MS;
  let delivery = queued;
  for (let pause = FIRST_PAUSE_MS; isWaiting(delivery) && now() < end; pause *= 2) {
    session.progress(`waiting for the receiver (${queued.id})`);
    await delay(Math.min(pause, MAX_PAUSE_MS), session.signal);
    delivery = await client.getWebhookDelivery(id, queued.id, session.signal);
  }
  return delivery;
}

function isWaiting({ state, attempts }: WebhookDelivery): boolean {
  return state === 'pending' && attempts === 0;
}

function deliveredLines(delivery: WebhookDelivery): Line[] {
  return [
    [styled('green', 'delivered'), `: ${describeAttempt(delivery)}`],
    ...renderText('response', delivery.response),
  ];
}

function failedLines(id: string, delivery: WebhookDelivery): Line[] {
  if (isWaiting(delivery)) {
    return [
      [styled('yellow', 'pending'), ': the registry has not sent the test event yet'],
      `Next: to see whether it was sent, run \`catalog webhook deliveries ${id}\`.`,
    ];
  }
  return [
    [styled('red', 'failed'), `: ${describeAttempt(delivery)}`],
    ...renderText('response', delivery.response),
    `Next: ${nextStep(delivery)}`,
  ];
}

function nextStep({ status, error = '' }: WebhookDelivery): string {
  if (status === undefined) {
    return /certificate/i.test(error)
      ? 'install a certificate that the registry trusts, then run the test again.'
      : 'check that the registry can reach the URL, then run the test again.';
  }
  if (status >= 300 && status < 400) {
    return 'use the final URL: the registry does not follow redirects.';
  }
  if (status === 401 || status === 403) {
    return 'check that the receiver verifies signatures with the current secret.';
  }
  if (status === 404 || status === 405) {
    return 'check the path of the URL, and that it accepts POST requests.';
  }
  if (status === 410) {
    return 'the registry disabled the receiver. If the URL is right, enable it again.';
  }
  return 'check the log of the receiver. It must respond with a 2xx status within 30 seconds.';
}
