import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { recordEntryPoint } from './entry-points.ts';

export interface RequestOptions {
  method?: string;
  /** Query; a list means a repeated parameter. */
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  /** Body; an object is sent as JSON, a string or bytes unchanged. */
  body?: unknown;
  /** Headers, including any `host`. */
  headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Certificate authority for HTTPS, in PEM. */
  ca?: string | undefined;
}

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  raw: Buffer;
}

/** Sends a request on its own connection. `fetch` would forbid or add some of the tested headers. */
export async function exchange(
  origin: string,
  path: string,
  options: RequestOptions = {},
): Promise<RawAnswer> {
  const incoming = await open(origin, path, options);
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { statusCode: status = 0, headers } = incoming;
  return { status, headers, raw: decompress(Buffer.concat(chunks), headers['content-encoding']) };
}

export interface OpenStream {
  status: number;
  headers: IncomingHttpHeaders;
  /** Returns the next line; undefined at the end of the stream. */
  next(): Promise<string | undefined>;
  close(): void;
}

export async function openStream(
  origin: string,
  path: string,
  options: RequestOptions = {},
): Promise<OpenStream> {
  const incoming = await open(origin, path, options);
  const lines = readLines(incoming);
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    next: async () => (await lines.next()).value ?? undefined,
    close: () => incoming.destroy(),
  };
}

async function* readLines(incoming: IncomingMessage): AsyncGenerator<string, undefined> {
  let rest = '';
  try {
    for await (const chunk of incoming.setEncoding('utf8')) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    if (!incoming.destroyed) throw error;
  }
  return undefined;
}

function open(origin: string, path: string, options: RequestOptions): Promise<IncomingMessage> {
  recordEntryPoint('http');
  const { method = 'GET', query, body, headers = {}, ca } = options;
  const payload = encodeBody(body);
  return new Promise((resolve, reject) => {
    const outgoing = (origin.startsWith('https:') ? requestSecurely : request)(
      `${origin}${path}${encodeQuery(query)}`,
      {
        method,
        agent: false,
        ...(ca === undefined ? {} : { ca }),
        headers: {
          ...(payload !== undefined && typeof body === 'object' && !(body instanceof Uint8Array)
            ? { 'content-type': 'application/json' }
            : {}),
          ...(payload === undefined || 'transfer-encoding' in headers
            ? {}
            : { 'content-length': payload.length }),
          ...headers,
        },
      },
      resolve,
    );
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}

function encodeQuery(query: RequestOptions['query'] = {}): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) pairs.append(name, String(one));
  }
  const encoded = pairs.toString();
  return encoded === '' ? '' : `?${encoded}`;
}

function encodeBody(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  if (typeof body === 'string') return Buffer.from(body);
  return body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
}

function decompress(bytes: Buffer, coding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes;
  if (coding === 'br') return brotliDecompressSync(bytes);
  return coding === 'gzip' ? gunzipSync(bytes) : bytes;
}
