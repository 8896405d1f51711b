import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import type { z } from 'zod';
import { EgressError, type EgressRequest, type SendRequest } from '../egress/send-request.ts';

export interface EngineConnection {
  name: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  send: SendRequest;
}

export interface EngineCall<Answer> {
  method: NonNullable<EgressRequest['method']>;
  path: string;
  body?: unknown;
  lines?: string;
  answer: z.ZodType<Answer>;
  /** True if a user waits for the response, so that the shorter timeout applies. */
  urgent?: true;
  absent?: Answer;
}

/** Timeout of urgent requests. Afterwards, the search uses words only. */
const URGENT_MS = 3000;
const TIMEOUT_MS = 30_000;
const MAX_BYTES = 33_554_432;
const MAX_SHOWN = 300;

/** Sends a request to an engine. Errors contain neither its URL nor its API key. */
export async function callEngine<Answer>(
  { name, url, headers, send }: EngineConnection,
  { method, path, body, lines, answer, absent, urgent }: EngineCall<Answer>,
  signal?: AbortSignal,
): Promise<Answer> {
  const sent = lines ?? (body === undefined ? undefined : JSON.stringify(body));
  const type = lines === undefined ? 'application/json' : 'application/x-ndjson';
  const request: EgressRequest = {
    url: url + path,
    method,
    headers: { accept: 'application/json', ...headers },
    max_bytes: MAX_BYTES,
    timeout_ms: urgent === true ? URGENT_MS : TIMEOUT_MS,
  };
  if (sent !== undefined) {
    request.headers = {
      ...request.headers,
      'content-type': type,
      'content-length': Buffer.byteLength(sent),
    };
    request.body = sent;
  }
  const { status, body: bytes } = await sendTo(name, send, request, signal);
  const text = bytes.toString('utf8');
  if (status === 404 && absent !== undefined) return absent;
  if (status < 200 || status > 299) throw unusable(name, reasonOf(status, text));
  const read = answer.safeParse(parseJson(text));
  if (!read.success) throw unusable(name, 'unexpected response format');
  return read.data;
}

async function sendTo(
  name: string,
  send: SendRequest,
  request: EgressRequest,
  signal: AbortSignal | undefined,
): Promise<Awaited<ReturnType<SendRequest>>> {
  try {
    return await send(request, signal);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof EgressError) throw unusable(name, 'no response', cause);
    throw cause;
  }
}

export function unusable(name: string, reason: string, cause?: unknown): CatalogError {
  return new CatalogError('registry.unavailable', `${name} is unavailable: ${reason}.`, {
    suggested_action: `Check ${name} and its settings. Until then, search uses keywords only.`,
    cause,
  });
}

const BY_STATUS: Readonly<Record<number, string>> = {
  401: 'it rejected the API key',
  403: 'the API key lacks permission',
  404: 'the collection does not exist',
  429: 'too many requests',
};

function reasonOf(status: number, text: string): string {
  if (status >= 500) return `internal error (${status})`;
  const known = BY_STATUS[status];
  if (known !== undefined) return known;
  return `request rejected (${status}): ${escapeControls(text.trim().slice(0, MAX_SHOWN))}`;
}

function parseJson(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}
