import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Certificate } from '@catalog/testkit/certificate-authority';
import type { SeededRandom } from '../../../tools/seeded-random.ts';
import { accept, neverAnswer, type Behavior, type ReceiverKind } from './behaviors.ts';

export interface SentEvent {
  event: string;
  timestamp: string;
  cursor: string;
}

export interface Receipt {
  event: string;
  timestamp: string;
  count: number;
  /** Values of `webhook-id`: exactly one, regardless of the number of deliveries. */
  ids: Set<string>;
}

export interface Receiver {
  kind: ReceiverKind;
  url: string;
  secret: string;
  receipts: ReadonlyMap<number, Receipt>;
  requests: number;
  problems: string[];
  /** Ends the first phase, in which every receiver hangs. */
  misbehave(): void;
  /**
   * Accepts everything from now on. Closes open connections like a restart, unless the receiver
   * holds requests.
   */
  recover(): void;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  kind: ReceiverKind;
  certificate: Certificate;
  secret: string;
  random: SeededRandom;
}

/** Maximum clock skew in seconds; the sender is on the same machine. */
const MAX_SKEW = 30;
const TRAP = '/redirected';

export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const { kind, certificate, secret, random } = options;
  const receipts = new Map<number, Receipt>();
  const bodies = new Map<string, string>();
  let behavior: Behavior = neverAnswer;
  const server = createServer(certificate, (request, response) => {
    void readDelivery(request, response).catch(() => response.destroy());
  });

  server.on('secureConnection', (socket) => socket.on('error', () => undefined));

  async function readDelivery(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The test includes connections that a reset or a killed sender closes.
    for (const stream of [request, response]) stream.on('error', () => undefined);
    const body = await text(request);
    receiver.requests += 1;
    const events = readEvents(request, body);
    const isAccepted = await behavior({ request, response, random, trap: TRAP });
    if (isAccepted)
      for (const event of events) addReceipt(String(request.headers['webhook-id']), event);
  }

  function readEvents({ url, headers }: IncomingMessage, body: string): SentEvent[] {
    const problem = (what: string): SentEvent[] => {
      receiver.problems.push(`${kind.name}: ${what}`);
      return [];
    };
    if (url === TRAP) return problem('a redirect was followed');
    const [id, at] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])];
    const digest = sign(secret, body, 'hex');
    if (headers['x-catalog-signature'] !== `sha256=${digest}`) {
      return problem(`x-catalog-signature does not verify: ${body.slice(0, 200)}`);
    }
    if (headers['webhook-signature'] !== `v1,${sign(secret, `${id}.${at}.${body}`, 'base64')}`) {
      return problem(`webhook-signature does not verify: ${body.slice(0, 200)}`);
    }
    if (Math.abs(Number(at) - Date.now() / 1000) > MAX_SKEW) {
      return problem(`${id} has the time of another attempt`);
    }
    if ((bodies.get(id) ?? digest) !== digest) return problem(`${id} has several bodies`);
    bodies.set(id, digest);
    const sent: SentEvent & { events?: SentEvent[] } = JSON.parse(body);
    if (sent.event === '_gap') return problem('a gap was reported');
    return sent.event === 'batch' ? (sent.events ?? []) : [sent];
  }

  function addReceipt(id: string, { event, timestamp, cursor }: SentEvent): void {
    const known = receipts.get(Number(cursor));
    const receipt = known ?? { event, timestamp, count: 0, ids: new Set() };
    receipt.count += 1;
    receipt.ids.add(id);
    if (known === undefined) receipts.set(Number(cursor), receipt);
  }

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    kind,
    url: `https://localhost:${port}/hook`,
    secret,
    receipts,
    requests: 0,
    problems: [],
    misbehave() {
      behavior = kind.behavior;
      if (behavior !== neverAnswer) server.closeAllConnections();
    },
    recover() {
      behavior = accept;
      if (kind.is_long !== true) server.closeAllConnections();
    },
    async close() {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeAllConnections();
      await closed;
    },
  };
  return receiver;
}

/** Uses the secret as is, unencoded, so that both signatures have the same key. */
function sign(secret: string, content: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', secret).update(content).digest(encoding);
}
