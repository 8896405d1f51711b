import { createServer, request as startRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

export type S3Fault =
  /** Responds with an error of the store. */
  | { kind: 'refuse'; status: number }
  | { kind: 'redirect'; location: string }
  /** Reports success without storing anything. */
  | { kind: 'swallow' }
  /** Stores half of the request and reports success. */
  | { kind: 'halve_request' }
  | { kind: 'corrupt_request' }
  | { kind: 'corrupt_answer' }
  /** Sends half of the response and closes the connection. */
  | { kind: 'cut_answer' }
  /** Sends half of the response, with a matching length. */
  | { kind: 'halve_answer' }
  | { kind: 'answer_header'; name: string; value: string };

export interface PassedRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
}

export interface S3Proxy {
  url: string;
  requests: PassedRequest[];
  fault: (request: PassedRequest) => S3Fault | undefined;
  close(): Promise<void>;
}

/** Starts a proxy that simulates faults. The `Host` header stays, so that signatures are valid. */
export async function startS3Proxy(store: string): Promise<S3Proxy> {
  const server = createServer((incoming, response) => {
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers };
    proxy.requests.push(request);
    void pass(store, incoming, response, proxy.fault(request)).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens nowhere');
  const proxy: S3Proxy = {
    url: `http://127.0.0.1:${address.port}`,
    requests: [],
    fault: () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}

async function pass(
  store: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  fault: S3Fault | undefined,
): Promise<void> {
  const body = changeRequest(await readAll(incoming), fault);
  if (fault?.kind === 'refuse') {
    const text = '<Error><Code>ServiceUnavailable</Code><Message>not now</Message></Error>';
    response.writeHead(fault.status, { 'content-type': 'application/xml' }).end(text);
    return;
  }
  if (fault?.kind === 'redirect') {
    response.writeHead(307, { location: fault.location }).end();
    return;
  }
  if (fault?.kind === 'swallow') {
    response.writeHead(200, { etag: '"0"', 'content-length': 0 }).end();
    return;
  }
  const answer = await forward(store, incoming, body);
  await sendAnswer(response, answer, await readAll(answer), fault);
}

function forward(store: string, incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  const { hostname, port } = new URL(store);
  return new Promise((resolve, reject) => {
    const { method, url: path, headers } = incoming;
    const kept = { ...headers };
    delete kept['expect'];
    delete kept['transfer-encoding'];
    if (method === 'PUT' || method === 'POST') kept['content-length'] = String(body.length);
    startRequest({ hostname, port, method, path, headers: kept, agent: false })
      .once('error', reject)
      .once('response', resolve)
      .end(body);
  });
}

function changeRequest(body: Buffer, fault: S3Fault | undefined): Buffer {
  if (fault?.kind === 'halve_request') return body.subarray(0, Math.floor(body.length / 2));
  return fault?.kind === 'corrupt_request' ? flipByte(body) : body;
}

async function sendAnswer(
  response: ServerResponse,
  { statusCode = 502, headers }: IncomingMessage,
  body: Buffer,
  fault: S3Fault | undefined,
): Promise<void> {
  const half = body.subarray(0, Math.floor(body.length / 2));
  if (fault?.kind === 'cut_answer') {
    response.writeHead(statusCode, headers);
    response.write(half, () => response.destroy());
    return;
  }
  if (fault?.kind === 'halve_answer') {
    response.writeHead(statusCode, { ...headers, 'content-length': half.length }).end(half);
    return;
  }
  if (fault?.kind === 'answer_header') {
    response.writeHead(statusCode, { ...headers, [fault.name]: fault.value }).end(body);
    return;
  }
  response.writeHead(statusCode, headers);
  response.end(fault?.kind === 'corrupt_answer' ? flipByte(body) : body);
}

function flipByte(body: Buffer): Buffer {
  const changed = Buffer.from(body);
  const middle = Math.floor(changed.length / 2);
  changed[middle] = (changed[middle] ?? 0) ^ 1;
  return changed;
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}
