import type { ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import { BODY_TOO_LARGE } from './read-body.ts';
import { headersOf, send, type Exchange } from './send.ts';
import { toErrorAnswer } from './to-envelope.ts';

/** What became of an error. */
export interface SentError {
  bytes: number;
  /** Undefined where the answer had begun. */
  code: string | undefined;
  /** The cause is the registry's own. */
  unexpected: boolean;
}

/** Answers an error with its envelope; where the answer has already begun, cuts the connection. */
export async function sendError(exchange: Exchange, error: unknown): Promise<SentError> {
  const { outgoing, request_id } = exchange;
  if (outgoing.headersSent || outgoing.destroyed) {
    const isReaderGone = outgoing.destroyed && !outgoing.errored;
    outgoing.destroy();
    return { bytes: 0, code: undefined, unexpected: !isReaderGone };
  }
  const { status, envelope, unexpected } = toErrorAnswer(error, request_id);
  const headers = errorHeaders(envelope);
  if (envelope.details['constraint'] === BODY_TOO_LARGE) {
    const bytes = await refuseBody(exchange, status, envelope);
    return { bytes, code: envelope.code, unexpected };
  }
  const bytes = await send(exchange, { kind: 'json', status, value: envelope, headers });
  return { bytes, code: envelope.code, unexpected };
}

function errorHeaders({ details }: ErrorEnvelope): Record<string, string> {
  const headers: Record<string, string> = {};
  const { allow, retry_after_seconds: seconds } = details;
  if (Array.isArray(allow)) headers['Allow'] = allow.join(', ');
  if (typeof seconds === 'number') headers['Retry-After'] = String(Math.ceil(seconds));
  return headers;
}

/** How long, and for how much, a body nobody wants is still read: a client that is still writing would miss its answer. */
const LINGER_MS = 1000;
const LINGER_BYTES = 16 * 1_048_576;

/** Answers at once, reads on for a moment, and closes the connection. */
async function refuseBody(
  exchange: Exchange,
  status: number,
  envelope: ErrorEnvelope,
): Promise<number> {
  const { incoming, outgoing } = exchange;
  const bytes = Buffer.from(JSON.stringify(envelope));
  outgoing.writeHead(status, {
    ...headersOf(exchange, undefined),
    'Content-Type': 'application/json',
    'Content-Length': bytes.length,
    Connection: 'close',
  });
  outgoing.write(bytes);
  await new Promise<void>((resolve) => {
    let read = 0;
    const timer = setTimeout(resolve, LINGER_MS);
    timer.unref();
    incoming.on('data', (chunk: Uint8Array) => {
      read += chunk.length;
      if (read > LINGER_BYTES) resolve();
    });
    incoming.once('close', resolve);
    incoming.once('end', resolve);
    incoming.resume();
  });
  outgoing.end();
  return bytes.length;
}
