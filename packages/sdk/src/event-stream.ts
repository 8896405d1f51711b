import type { CatalogError } from '@catalog/contract/errors/catalog-error';
import { chooseToken, renewToken, withAdvice } from './bearer.ts';
import type { Connection } from './connection.ts';
import {
  DISCOVERY_MS,
  isSuccess,
  MAX_BODY_BYTES,
  readAll,
  redactionFor,
  send,
  toFailure,
} from './exchange.ts';
import { startIdleTimeout, type IdleTimeout } from './idle-timeout.ts';
import type { Redaction } from './redact.ts';
import type { RegistryError } from './registry-error.ts';
import { BodyTooLarge } from './unreachable.ts';

/** Path of the event stream, relative to the registry URL. */
export const EVENTS_PATH = '/v1/events';

/** Filter of an event subscription: the event types, and the cursor to resume from. */
export interface EventFilter {
  /** Names of events; empty for all. */
  types: readonly string[];
  /** Cursor after which to resume, as far as the registry still has the events. */
  since?: string | undefined;
}

/** Open event stream, or the error of a rejected one. */
export type EventStream =
  /** `lines` ends when the registry closes the stream, and throws if the connection breaks. */
  | { kind: 'open'; lines: AsyncIterable<string>; cursor: string | undefined }
  | { kind: 'refused'; status: number; error: CatalogError | RegistryError };

/** Maximum length of a line in characters. */
const MAX_LINE_LENGTH = 16 * 1024 * 1024;

/** Time without data after which a stream is considered dead: three missed heartbeats. */
const SILENCE_MS = 100_000;

/** Opens the event stream. An expired token is replaced once. Throws if the registry is unreachable. */
export async function openEvents(
  connection: Connection,
  { types, since }: EventFilter,
  signal?: AbortSignal,
): Promise<EventStream> {
  const query = new URLSearchParams();
  for (const type of types) query.append('type', type);
  if (since !== undefined) query.append('since', since);
  const path = query.size === 0 ? EVENTS_PATH : `${EVENTS_PATH}?${query.toString()}`;
  const token = await chooseToken(connection, path, signal);
  const stream = await subscribe(connection, path, token, signal);
  if (stream.kind === 'open') return stream;
  const renewed = await renewToken(connection, stream.error, token, signal);
  if (renewed !== undefined) return subscribe(connection, path, renewed, signal);
  return { ...stream, error: withAdvice(stream.error, connection, token) };
}

async function subscribe(
  connection: Connection,
  path: string,
  token: string | undefined,
  signal: AbortSignal | undefined,
): Promise<EventStream> {
  const patience = startIdleTimeout(DISCOVERY_MS, signal);
  const redaction = redactionFor(token);
  let isOpen = false;
  try {
    const response = await send(connection, { method: 'GET', path }, token, patience.signal);
    const { status } = response;
    isOpen = isSuccess(status);
    if (isOpen) {
      const cursor = response.header('x-catalog-cursor');
      return { kind: 'open', lines: readLines(response.chunks(), patience, redaction), cursor };
    }
    const bytes = await readAll(response, MAX_BODY_BYTES, () => patience.extend());
    const { error } = toFailure(connection.registry, response, bytes, redaction);
    return { kind: 'refused', status, error };
  } finally {
    if (!isOpen) patience.end();
  }
}

/** Yields lines. A chunk can end anywhere, and empty lines are skipped. */
async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  patience: IdleTimeout,
  redaction: Redaction,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    patience.extend(SILENCE_MS);
    for await (const chunk of chunks) {
      patience.extend(SILENCE_MS);
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > MAX_LINE_LENGTH) throw new BodyTooLarge(MAX_LINE_LENGTH);
      for (const line of lines) if (line.trim() !== '') yield redaction.identifiers(line);
    }
  } finally {
    patience.end();
  }
}
