import type { IncomingHttpHeaders } from 'node:http';
import { eventBody } from '@catalog/contract/events';
import type { Settings } from '@catalog/server/config/settings';
import { expect } from 'vitest';
import { createCertificateAuthority, type CertificateAuthority } from './certificate-authority.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

/** A batch of events has other members. */
const deliveryBody = eventBody.partial().required({ event: true }).loose();

export interface ReceivedDelivery {
  id: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: ReturnType<typeof deliveryBody.parse>;
  /** Time in milliseconds. */
  at: number;
}

export type ReceiverResponse =
  | number
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'reset'
  | 'hang';

export interface DeliveryReceiver {
  url: string;
  /** Settings of a registry that may send to test receivers, with immediate retries. */
  settings: Partial<Settings>;
  connections(): number;
  taken: ReceivedDelivery[];
  /** Sets the response to later deliveries, which is 204 at first. */
  respondWith(next: ReceiverResponse | ((delivery: ReceivedDelivery) => ReceiverResponse)): void;
  waitFor(count: number): Promise<ReceivedDelivery[]>;
}

/** Shared by all receivers, because a registry trusts only one file. */
let authority: Promise<CertificateAuthority> | undefined;

/** Starts an HTTPS receiver on loopback until the end of the test. Its certificate is for `names` and `localhost`. */
export async function startDeliveryReceiver(
  names: readonly string[] = [],
): Promise<DeliveryReceiver> {
  authority ??= createCertificateAuthority();
  const server = await startWebhookReceiver(names, await authority);
  const deliveries: ReceivedDelivery[] = [];
  let choose: (delivery: ReceivedDelivery) => ReceiverResponse = () => 204;
  server.respond = (response, { headers, body }) => {
    const text = body.toString();
    const id = String(headers['webhook-id']);
    const parsed = deliveryBody.parse(JSON.parse(text));
    const delivery = { id, headers, text, body: parsed, at: performance.now() };
    deliveries.push(delivery);
    const answer = choose(delivery);
    if (answer === 'hang') return;
    if (answer === 'reset') {
      response.destroy();
      return;
    }
    const configured_response = typeof answer === 'number' ? { status: answer } : answer;
    response
      .writeHead(configured_response.status, configured_response.headers)
      .end(configured_response.body);
  };
  return {
    url: server.url,
    settings: {
      ca_file: server.ca_file,
      'webhooks.allowed_targets': ['localhost', '127.0.0.0/8'],
      'webhooks.retry_schedule': [0, 0, 0, 0],
    },
    connections: () => server.connections,
    taken: deliveries,
    respondWith(next) {
      choose = typeof next === 'function' ? next : () => next;
    },
    async waitFor(count) {
      await expect
        .poll(() => deliveries.length, { timeout: 20_000, interval: 10 })
        .toBeGreaterThanOrEqual(count);
      return deliveries;
    },
  };
}
