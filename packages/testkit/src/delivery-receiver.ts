import type { IncomingHttpHeaders } from 'node:http';
import { eventBody } from '@catalog/contract/events';
import type { Settings } from '@catalog/server/config/settings';
import { expect } from 'vitest';
import { createCertificateAuthority, type CertificateAuthority } from './certificate-authority.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

/** A batch of events has other members. */
const takenBody = eventBody.partial().required({ event: true }).loose();

export interface TakenDelivery {
  id: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: ReturnType<typeof takenBody.parse>;
  /** Milliseconds. */
  at: number;
}

export type ReceiverAnswer =
  | number
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'reset'
  | 'hang';

export interface DeliveryReceiver {
  url: string;
  /** Settings of a registry that may send to test receivers, and retries immediately. */
  settings: Partial<Settings>;
  connections(): number;
  taken: TakenDelivery[];
  /** Sets the response to further deliveries; the initial one is 204. */
  answer(next: ReceiverAnswer | ((delivery: TakenDelivery) => ReceiverAnswer)): void;
  waitFor(count: number): Promise<TakenDelivery[]>;
}

/** Shared, because a registry trusts only one file. */
let authority: Promise<CertificateAuthority> | undefined;

/**
 * Starts an https receiver on loopback until the test ends. Its certificate has `names` in addition to
 * `localhost`.
 */
export async function startDeliveryReceiver(
  names: readonly string[] = [],
): Promise<DeliveryReceiver> {
  authority ??= createCertificateAuthority();
  const server = await startWebhookReceiver(names, await authority);
  const taken: TakenDelivery[] = [];
  let choose: (delivery: TakenDelivery) => ReceiverAnswer = () => 204;
  server.respond = (response, { headers, body }) => {
    const text = body.toString();
    const id = String(headers['webhook-id']);
    const parsed = takenBody.parse(JSON.parse(text));
    const delivery = { id, headers, text, body: parsed, at: performance.now() };
    taken.push(delivery);
    const answer = choose(delivery);
    if (answer === 'hang') return;
    if (answer === 'reset') {
      response.destroy();
      return;
    }
    const said = typeof answer === 'number' ? { status: answer } : answer;
    response.writeHead(said.status, said.headers).end(said.body);
  };
  return {
    url: server.url,
    settings: {
      ca_file: server.ca_file,
      'webhooks.allowed_targets': ['localhost', '127.0.0.0/8'],
      'webhooks.retry_schedule': [0, 0, 0, 0],
    },
    connections: () => server.connections,
    taken,
    answer(next) {
      choose = typeof next === 'function' ? next : () => next;
    },
    async waitFor(count) {
      await expect
        .poll(() => taken.length, { timeout: 20_000, interval: 10 })
        .toBeGreaterThanOrEqual(count);
      return taken;
    },
  };
}
