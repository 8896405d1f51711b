import type { CatalogError } from '@catalog/contract/errors/catalog-error';
import { getEnvelope } from '@catalog/contract/errors/read-envelope';
import { resolveUrl, chooseToken, renewToken, withAdvice } from './bearer.ts';
import { random } from './random.ts';
import type { Connection } from './connection.ts';
import { delay, startIdleTimeout } from './idle-timeout.ts';
import { quoteServer } from './quote-server.ts';
import { openRedaction, type Redaction } from './redact.ts';
import { errorOf, type RegistryError } from './registry-error.ts';
import type { TransportResponse } from './transport.ts';
import { BodyTooLarge, codeOf, notARegistry, tooLarge, unreachable } from './unreachable.ts';

/** Timeout for connecting, in milliseconds (SPEC-65). */
export const CONNECT_MS = 2_000;
/** Timeout for discovery and other short responses, in milliseconds. */
export const DISCOVERY_MS = 10_000;
/** Timeout for loads, in milliseconds. */
export const LOAD_MS = 30_000;
/**
 * Maximum size of a response after decompression, because a few megabytes of gzip can expand to gigabytes. A request
 * may set another limit.
 */
export const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** A request to the registry. */
export interface RegistryRequest {
  method: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Timeout without data, before the response and between chunks. */
  idle_ms: number;
  /** True if the request may be repeated. */
  repeatable: boolean;
  /** Maximum size after decompression; `MAX_BODY_BYTES` if unset. */
  limit?: number;
}

/** A successful response. */
export interface RegistryResponse {
  status: number;
  header(name: string): string | undefined;
  bytes: Uint8Array;
  redaction: Redaction;
}

interface Failure {
  kind: 'failed';
  error: CatalogError | RegistryError;
  transient: boolean;
  retry_after_ms: number | undefined;
}

type Attempt = { kind: 'answered'; answer: RegistryResponse } | Failure;

const ATTEMPTS = 3;
const INITIAL_PAUSE_MS = 250;
/** Maximum delay before a retry; if the registry requests more, the request fails. */
const MAX_PAUSE_MS = 10_000;

/**
 * Sends a request with retries after a random delay, so that clients do not return all at once after an outage. An
 * expired token is replaced once.
 */
export async function exchange(
  connection: Connection,
  request: RegistryRequest,
  signal?: AbortSignal,
): Promise<RegistryResponse> {
  let token = await chooseToken(connection, request.path, signal);
  let isRenewed = false;
  for (let attempt = 1; ; attempt += 1) {
    let outcome = await sendOnce(connection, request, token, signal);
    const renewed =
      isRenewed || outcome.kind === 'answered'
        ? undefined
        : await renewToken(connection, outcome.error, token, signal);
    if (renewed !== undefined) {
      token = renewed;
      isRenewed = true;
      outcome = await sendOnce(connection, request, token, signal);
    }
    if (outcome.kind === 'answered') return outcome.answer;
    const { error, transient, retry_after_ms } = outcome;
    if (!transient || !request.repeatable || attempt === ATTEMPTS) {
      throw withAdvice(error, connection, token);
    }
    const pause = (retry_after_ms ?? 0) + random() * INITIAL_PAUSE_MS * 2 ** (attempt - 1);
    if (pause > MAX_PAUSE_MS) throw error;
    await delay(pause, signal);
  }
}

async function sendOnce(
  connection: Connection,
  request: RegistryRequest,
  token: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Attempt> {
  const patience = startIdleTimeout(request.idle_ms, signal);
  try {
    const response = await send(connection, request, token, patience.signal);
    if (response.header('x-catalog-read-only') === 'true') {
      connection.onReadOnly(Number(response.header('x-catalog-read-only-lag-seconds') ?? 0));
    }
    noteAnnouncement(connection, request, response.header('x-catalog-signing'));
    // An error of an object store may be longer than the requested file.
    const { limit = MAX_BODY_BYTES } = isSuccess(response.status) ? request : {};
    const bytes = await readAll(response, limit, () => patience.extend());
    return judge(connection.registry, response, bytes, { request, token });
  } catch (cause) {
    signal?.throwIfAborted();
    const reason = patience.signal.aborted ? patience.signal.reason : cause;
    if (reason instanceof BodyTooLarge) {
      const error = tooLarge(connection.registry, reason);
      return { kind: 'failed', error, transient: false, retry_after_ms: undefined };
    }
    const error = unreachable(connection.registry, reason);
    // A retry rarely helps after a connection timeout, or after an error of this package.
    const transient = error !== reason && codeOf(reason) !== 'ETIMEDOUT';
    return { kind: 'failed', error, transient, retry_after_ms: undefined };
  } finally {
    patience.end();
  }
}

/** Ignores headers of object stores, whose URLs are absolute. */
function noteAnnouncement(
  { announced }: Connection,
  { path }: RegistryRequest,
  header: string | undefined,
): void {
  if (header === undefined || !path.startsWith('/') || !/^\d{1,15}$/.test(header)) return;
  announced.key_set = Math.max(announced.key_set ?? 0, Number(header));
}

/** Sends a request and resolves when the headers have arrived. */
export function send(
  connection: Connection,
  request: Pick<RegistryRequest, 'method' | 'path' | 'headers' | 'body'>,
  token: string | undefined,
  signal: AbortSignal,
): Promise<TransportResponse> {
  const { method, path, body } = request;
  const headers: Record<string, string> = { ...request.headers };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  const url = resolveUrl(connection, path);
  return connection.transport({ method, url, headers, body, connect_ms: CONNECT_MS, signal });
}

/** Reads a whole response. Throws `BodyTooLarge` as soon as it exceeds the limit. */
export async function readAll(
  response: TransportResponse,
  limit: number,
  onChunk: () => void,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.chunks()) {
    onChunk();
    length += chunk.length;
    if (length > limit) throw new BodyTooLarge(limit);
    chunks.push(chunk);
  }
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function judge(
  registry: string,
  response: TransportResponse,
  bytes: Uint8Array,
  { request, token }: { request: RegistryRequest; token: string | undefined },
): Attempt {
  const { status } = response;
  if (!isSuccess(status) && status !== 304) {
    const redaction = redactionFor(token, secretsIn(request.body));
    return toFailure(registry, response, bytes, redaction);
  }
  // A response can contain a secret of the request, such as that of a webhook.
  const redaction = redactionFor(token);
  const header = (name: string): string | undefined => response.header(name);
  return { kind: 'answered', answer: { status, header, bytes, redaction } };
}

/** Returns true for a 2xx status. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Creates the redaction of a request's secrets. */
export function redactionFor(
  token: string | undefined,
  secrets: readonly string[] = [],
): Redaction {
  return openRedaction([...(token === undefined ? [] : [token]), ...secrets]);
}

function secretsIn(body: string | undefined): string[] {
  if (body === undefined || !/secret|token|password/i.test(body)) return [];
  const secrets: string[] = [];
  JSON.parse(body, (key, value: unknown) => {
    if (typeof value === 'string' && /secret|token|password/i.test(key)) secrets.push(value);
    return value;
  });
  return secrets;
}

/** Converts an error response to a failure. */
export function toFailure(
  registry: string,
  response: TransportResponse,
  bytes: Uint8Array,
  redaction: Redaction,
): Failure {
  const { status } = response;
  const envelope = getEnvelope(parseJson(bytes));
  const error =
    envelope === undefined
      ? notARegistry(registry, describe(response, redaction))
      : errorOf(envelope, registry, redaction);
  // Statuses of a gateway whose registry is unavailable.
  const transient = envelope?.retryable ?? [502, 503, 504].includes(status);
  return { kind: 'failed', error, transient, retry_after_ms: retryAfter(response) };
}

function describe(response: TransportResponse, redaction: Redaction): string {
  const { status } = response;
  const location = response.header('location');
  // Browsers hide status and headers of a redirect.
  if (status === 0 || (status >= 300 && status < 400)) {
    const to = location === undefined ? '' : ` to ${quoteServer(redaction.words(location))}`;
    return `redirects callers${to}`;
  }
  return `responded with status ${status}, but not in the format of a registry`;
}

function retryAfter(response: TransportResponse): number | undefined {
  const seconds = Number(response.header('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

/** Parses JSON; undefined if it is invalid. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes));
    return value;
  } catch {
    return undefined;
  }
}

/** Keeps a byte order mark, which belongs to the content. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
