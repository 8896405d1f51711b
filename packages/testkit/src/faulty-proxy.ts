import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

export type ProxyFault =
  | { kind: 'well' }
  /** A server that accepts the request and never responds. */
  | { kind: 'hanging' }
  /** A server that sends one byte per interval. */
  | { kind: 'slow'; every_ms: number }
  /** A server that sends half of the response and breaks the connection. */
  | { kind: 'cut' }
  /** A server that sends half of the response, with a matching length. */
  | { kind: 'truncating' }
  | { kind: 'changing'; change: (body: string) => string }
  | { kind: 'asking'; path: (path: string) => string }
  /** A server that responds without contacting the registry. */
  | { kind: 'answering'; status: number; body: unknown };

export interface FaultyProxy {
  url: string;
  paths: string[];
  fault: ProxyFault;
  close(): Promise<void>;
}

export async function startFaultyProxy(registry: string): Promise<FaultyProxy> {
  const server = createServer((incoming, response) => {
    proxy.paths.push(incoming.url ?? '');
    void pass(registry, incoming, response, proxy.fault).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens nowhere');
  const proxy: FaultyProxy = {
    url: `http://127.0.0.1:${address.port}`,
    paths: [],
    fault: { kind: 'well' },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}

async function pass(
  registry: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  fault: ProxyFault,
): Promise<void> {
  const sent = await buffer(incoming);
  if (fault.kind === 'hanging') return;
  if (fault.kind === 'answering') {
    response.writeHead(fault.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(fault.body));
    return;
  }
  const { method = 'GET', url: path = '' } = incoming;
  const answer = await fetch(registry + (fault.kind === 'asking' ? fault.path(path) : path), {
    method,
    headers: headersOf(incoming),
    ...(sent.length === 0 ? {} : { body: sent }),
  });
  const etag = answer.headers.get('etag');
  if (etag !== null) response.setHeader('etag', etag);
  const body = Buffer.from(await answer.arrayBuffer());
  if (answer.status === 304) response.writeHead(304).end();
  else sendAnswer(response, answer.status, body, fault);
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of ['authorization', 'content-type', 'if-none-match']) {
    const value = headers[name];
    if (typeof value === 'string') kept[name] = value;
  }
  return kept;
}

function sendAnswer(
  response: ServerResponse,
  status: number,
  body: Buffer,
  fault: ProxyFault,
): void {
  const half = body.subarray(0, Math.floor(body.length / 2));
  const sent =
    fault.kind === 'changing'
      ? Buffer.from(fault.change(body.toString()))
      : fault.kind === 'truncating'
        ? half
        : body;
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': sent.length,
  });
  if (fault.kind === 'cut') response.write(half, () => response.destroy());
  else if (fault.kind === 'slow') trickle(response, sent, fault.every_ms);
  else response.end(sent);
}

function trickle(response: ServerResponse, body: Buffer, every_ms: number): void {
  let at = 0;
  const timer = setInterval(() => {
    response.write(body.subarray(at, at + 1));
    at += 1;
    if (at >= body.length) response.end();
  }, every_ms);
  response.once('close', () => clearInterval(timer));
}
