import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** Maximum size of a request body in bytes. */
export const MAX_BODY_BYTES = 16_777_216;

export async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of incoming) {
    const bytes: Buffer = part;
    length += bytes.length;
    if (length > MAX_BODY_BYTES) return undefined;
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}

/** Converts a request of Node to a `Request`, which aborts when the client disconnects. */
export function toRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  body: Buffer,
): Request {
  const disconnected = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) disconnected.abort();
  });
  const { method = 'GET', url = '/', headers } = incoming;
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) sent.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const hasBody = method !== 'GET' && method !== 'HEAD' && body.length > 0;
  return new Request(new URL(url, `http://${headers.host ?? ''}`), {
    method,
    headers: sent,
    signal: disconnected.signal,
    ...(hasBody ? { body: new Uint8Array(body) } : {}),
  });
}

/** Writes a response at the speed of the client. Event streams are flushed after each event. */
export async function writeResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) outgoing.end();
  else await pipeline(response.body, outgoing);
}
