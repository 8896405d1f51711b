import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Availability } from '@catalog/core/ports/availability';
import {
  COMPRESS_FROM_BYTES,
  compress,
  compressOnce,
  compressStream,
  isCompressible,
  negotiateCoding,
  type Coding,
} from './compress.ts';
import type { Reply, ReplyHeaders } from './route.ts';
import { endInPieces, isLargerThanPiece, splitIntoPieces } from './write-in-pieces.ts';

export interface Exchange {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  method: string;
  request_id: string;
  error_form?: 'scim' | undefined;
  /** Returns the mode, which may have changed since the request arrived. */
  availability: () => Availability;
  /** URL of the resource metadata; undefined if the registry accepts no tokens. */
  resource_metadata?: (() => string) | undefined;
}

const JSON_TYPE = 'application/json';

/** Sends a response and returns the number of body bytes. */
export function send(exchange: Exchange, reply: Reply): number | Promise<number> {
  if (reply.kind === 'bytes') return sendBytes(exchange, reply, compressOnce);
  if (reply.kind === 'json') {
    const bytes = Buffer.from(JSON.stringify(reply.value));
    return sendBytes(exchange, { ...reply, kind: 'bytes', bytes }, compress);
  }
  if (reply.kind === 'stream') return sendStream(exchange, reply);
  if (reply.kind === 'raw') return serveRaw(exchange, reply);
  exchange.outgoing.writeHead(reply.status, headersOf(exchange, reply.headers)).end();
  return 0;
}

/** Returns the headers of a response. Headers of a route override the default ones. */
export function headersOf(
  { request_id, availability }: Exchange,
  own: ReplyHeaders | undefined,
): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {
    // Any response may change with the next ingest, even without authentication (SPEC-55).
    'Cache-Control': 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'X-Request-Id': request_id,
  };
  const available = availability();
  if (available.mode === 'read_only') {
    headers['X-Catalog-Read-Only'] = 'true';
    headers['X-Catalog-Read-Only-Lag-Seconds'] = available.lag_seconds;
  }
  for (const name in own) {
    const value = own[name];
    headers[name] = typeof value === 'object' ? [...value] : value;
  }
  return headers;
}

type Bytes = Extract<Reply, { kind: 'bytes' }>;

function sendBytes(
  exchange: Exchange,
  reply: Bytes,
  compressWith: (bytes: Uint8Array, coding: Coding) => Promise<Uint8Array>,
): number | Promise<number> {
  const mediaType = reply.media_type ?? JSON_TYPE;
  const headers = headersOf(exchange, reply.headers);
  headers['Content-Type'] = mediaType;
  if (reply.bytes.length >= COMPRESS_FROM_BYTES && isCompressible(mediaType)) {
    headers['Vary'] = 'Accept-Encoding';
    const coding = negotiateCoding(acceptEncodingOf(exchange));
    if (coding !== undefined) {
      headers['Content-Encoding'] = coding;
      if (coding === 'br' && reply.brotli !== undefined) {
        return writeBytes(exchange, reply.status, headers, reply.brotli);
      }
      return compressWith(reply.bytes, coding).then((bytes) =>
        writeBytes(exchange, reply.status, headers, bytes),
      );
    }
  }
  return writeBytes(exchange, reply.status, headers, reply.bytes);
}

function writeBytes(
  { outgoing, method }: Exchange,
  status: number,
  headers: OutgoingHttpHeaders,
  bytes: Uint8Array,
): number | Promise<number> {
  headers['Content-Length'] = bytes.length;
  outgoing.writeHead(status, headers);
  if (method === 'HEAD') {
    outgoing.end();
    return 0;
  }
  if (isLargerThanPiece(bytes)) return endInPieces(outgoing, bytes).then(() => bytes.length);
  outgoing.end(bytes);
  return bytes.length;
}

/** Streams a response without buffering. Closes the connection on an error. */
async function sendStream(
  exchange: Exchange,
  reply: Extract<Reply, { kind: 'stream' }>,
): Promise<number> {
  const { outgoing, method } = exchange;
  const headers = headersOf(exchange, reply.headers);
  headers['Content-Type'] = reply.media_type;
  const isCompressed = headers['Content-Length'] === undefined && isCompressible(reply.media_type);
  if (isCompressed) headers['Vary'] = 'Accept-Encoding';
  const coding = isCompressed ? negotiateCoding(acceptEncodingOf(exchange)) : undefined;
  if (coding !== undefined) headers['Content-Encoding'] = coding;
  outgoing.writeHead(reply.status, headers);
  if (method === 'HEAD') {
    outgoing.end();
    return 0;
  }
  let sent = 0;
  const count = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      sent += chunk.length;
      for (const piece of splitIntoPieces(chunk)) this.push(piece);
      done();
    },
  });
  const chunks = Readable.from(reply.chunks, { objectMode: false });
  if (coding === undefined) await pipeline(chunks, count, outgoing);
  else await pipeline(chunks, compressStream(coding), count, outgoing);
  return sent;
}

/** Lets a route write to the connection, and resolves when the connection is closed. */
function serveRaw(exchange: Exchange, reply: Extract<Reply, { kind: 'raw' }>): Promise<number> {
  const { incoming, outgoing } = exchange;
  const before = outgoing.socket?.bytesWritten ?? 0;
  for (const [name, value] of Object.entries(headersOf(exchange, undefined))) {
    if (value !== undefined) outgoing.setHeader(name, value);
  }
  return new Promise((resolve) => {
    const { socket } = outgoing;
    outgoing.once('close', () => resolve((socket?.bytesWritten ?? before) - before));
    reply.serve(incoming, outgoing);
  });
}

function acceptEncodingOf({ incoming }: Exchange): string | undefined {
  const value = incoming.headers['accept-encoding'];
  return typeof value === 'string' ? value : undefined;
}
