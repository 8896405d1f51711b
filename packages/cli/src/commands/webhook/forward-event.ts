import { createSigningKey, signDispatch } from '@catalog/core/webhook/sign-dispatch';
import { quoteServer } from '@catalog/sdk/quote-server';
import type { Transport } from '@catalog/sdk/transport';
import { describeUnreachable } from '@catalog/sdk/unreachable';
import { currentTime, now } from '../../clock.ts';

export type StreamLine =
  | { kind: 'event'; name: string; subject: string; cursor: string | undefined; body: string }
  | { kind: 'gap'; cursor: string | undefined }
  | { kind: 'heartbeat'; cursor: string | undefined };

export interface Forwarded {
  webhook_id: string;
  event: string;
  /** Artifact, domain or layer of the event; empty if there is none. */
  subject: string;
  cursor: string | undefined;
  accepted: boolean;
  status?: number;
  error?: string;
  duration_ms: number;
}

interface Forwarding {
  url: string;
  secret: string;
  send: Transport;
  signal: AbortSignal;
}

/** Timeout of a forwarded event, the same as for deliveries of the registry. */
const TIMEOUT_MS = 30_000;
const CONNECT_MS = 10_000;

const EVENT_NAME = /^[a-z_]{1,64}(?:\.[a-z_]{1,64})*$/;
const MAX_NAME = 64;

/** Parses a line of the event stream. The string is the body of the delivery. */
export function parseEvent(line: string): StreamLine {
  const { event, cursor, data }: StreamedLine = JSON.parse(line);
  if (event === '_heartbeat') return { kind: 'heartbeat', cursor };
  if (event === '_gap') return { kind: 'gap', cursor };
  const subject = data?.id ?? data?.domain ?? data?.layer ?? '';
  // An invalid name could imitate output of catalog.
  const name = EVENT_NAME.test(event) ? event : quoteServer(event, MAX_NAME);
  return { kind: 'event', name, subject, cursor, body: line };
}

interface StreamedLine {
  event: string;
  cursor?: string;
  data?: { id?: string; domain?: string; layer?: string };
}

/** Forwards an event, signed like a delivery of the registry. Does not retry. */
export async function forwardEvent(
  { name, subject, cursor, body }: Extract<StreamLine, { kind: 'event' }>,
  { url, secret, send, signal }: Forwarding,
): Promise<Forwarded> {
  const webhook_id = `msg_${cursor ?? '0'}`;
  const timestamp = Math.floor(currentTime() / 1000);
  const bytes = Buffer.from(body);
  const headers = signDispatch({ id: webhook_id, timestamp, body: bytes }, [
    createSigningKey(secret),
  ]);
  const started = now();
  const outcome = await post({ url, headers, body, send, signal });
  const duration_ms = Math.round(now() - started);
  const accepted = outcome.status !== undefined && outcome.status >= 200 && outcome.status < 300;
  return { webhook_id, event: name, subject, cursor, accepted, ...outcome, duration_ms };
}

async function post(request: {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  send: Transport;
  signal: AbortSignal;
}): Promise<{ status?: number; error?: string }> {
  const { url, headers, body, send, signal } = request;
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await send({
      method: 'POST',
      url,
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      body,
      connect_ms: CONNECT_MS,
      signal: AbortSignal.any([signal, timeout]),
    });
    // Reading the whole response frees the connection for the next event.
    for await (const _ of response.chunks());
    return { status: response.status };
  } catch (cause) {
    signal.throwIfAborted();
    return { error: describeUnreachable(timeout.aborted ? timeout.reason : cause) };
  }
}
