import { SCIM_MEDIA_TYPE } from '@catalog/contract/records/scim';
import { BODY_TOO_LARGE } from './read-body.ts';
import type { ReplyHeaders } from './route.ts';
import { headersOf, send, type Exchange } from './send.ts';
import { toScimErrorResponse } from './scim/to-scim-error.ts';
import { toErrorResponse, type ErrorResponse } from './to-envelope.ts';

export class ErrorWithHeaders extends Error {
  readonly headers: ReplyHeaders;

  constructor(cause: unknown, headers: ReplyHeaders) {
    super(cause instanceof Error ? cause.message : 'an error with headers', { cause });
    this.headers = headers;
  }
}

export interface SentError {
  bytes: number;
  /** Error code; undefined if the response had already started. */
  code: string | undefined;
  unexpected: boolean;
}

/** Sends an error. Closes the connection if the response has already started. */
export async function sendError(exchange: Exchange, thrown: unknown): Promise<SentError> {
  const isHeaded = thrown instanceof ErrorWithHeaders;
  const error = isHeaded ? thrown.cause : thrown;
  const { outgoing, request_id } = exchange;
  if (outgoing.headersSent || outgoing.destroyed) {
    const isClientDisconnected = outgoing.destroyed && !outgoing.errored;
    outgoing.destroy();
    return { bytes: 0, code: undefined, unexpected: !isClientDisconnected };
  }
  const format = exchange.error_form === 'scim' ? toScimErrorResponse : toErrorResponse;
  const answer = format(error, request_id);
  const { status, code, unexpected, media_type } = answer;
  if (answer.details['constraint'] === BODY_TOO_LARGE) {
    return { bytes: await discardBody(exchange, answer), code, unexpected };
  }
  const headers = { ...errorHeaders(answer, exchange), ...(isHeaded ? thrown.headers : {}) };
  const text = Buffer.from(JSON.stringify(answer.value));
  const bytes = await send(exchange, { kind: 'bytes', status, bytes: text, media_type, headers });
  return { bytes, code, unexpected };
}

function errorHeaders(answer: ErrorResponse, exchange: Exchange): Record<string, string> {
  const headers: Record<string, string> = {};
  const challenge = challengeOf(answer, exchange);
  if (challenge !== undefined) headers['WWW-Authenticate'] = challenge;
  const { allow, retry_after_seconds: seconds } = answer.details;
  if (Array.isArray(allow)) headers['Allow'] = allow.join(', ');
  if (typeof seconds === 'number') headers['Retry-After'] = String(Math.ceil(seconds));
  return headers;
}

const BAD_TOKENS: ReadonlySet<string> = new Set([
  'auth.token_expired',
  'auth.untrusted_token',
  'auth.untrusted_runtime',
]);

/**
 * Returns the challenge for a missing or invalid credential (RFC 6750), with the URL of the resource metadata (RFC
 * 9728).
 */
function challengeOf(
  { status, code, media_type }: ErrorResponse,
  { resource_metadata }: Exchange,
): string | undefined {
  if (status !== 401) return undefined;
  if (media_type === SCIM_MEDIA_TYPE) return 'Bearer';
  if (!code.startsWith('auth.')) return undefined;
  const parts = [
    ...(BAD_TOKENS.has(code) ? ['error="invalid_token"'] : []),
    ...(resource_metadata === undefined ? [] : [`resource_metadata="${resource_metadata()}"`]),
  ];
  return ['Bearer', parts.join(', ')].join(' ').trimEnd();
}

/**
 * Maximum time for reading the rest of an unwanted body. Without it, a client that is still writing would miss the
 * response.
 */
const LINGER_MS = 1000;
const LINGER_BYTES = 16 * 1_048_576;

/** Sends a response, reads the rest of the body for a limited time, and closes the connection. */
async function discardBody(
  exchange: Exchange,
  { status, value, media_type }: ErrorResponse,
): Promise<number> {
  const { incoming, outgoing } = exchange;
  const bytes = Buffer.from(JSON.stringify(value));
  outgoing.writeHead(status, {
    ...headersOf(exchange, undefined),
    'Content-Type': media_type,
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
