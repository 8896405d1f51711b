import { createServer, request as startRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** What happens to a request on its way to the store, or to its answer on the way back. */
export type S3Fault =
  /** The store answers with an error of its own. */
  | { kind: 'refuse'; status: number }
  | { kind: 'redirect'; location: string }
  /** The store says yes and does nothing. */
  | { kind: 'swallow' }
  /** The store takes half of what it is sent and says yes. */
  | { kind: 'halve_request' }
  /** One byte is another when it arrives. */
  | { kind: 'corrupt_request' }
  | { kind: 'corrupt_answer' }
  /** Half of the answer comes, then the connection ends. */
  | { kind: 'cut_answer' }
  /** Half of the answer comes, and its length says that is all. */
  | { kind: 'halve_answer' }
  | { kind: 'answer_header'; name: string; value: string };

/** A request that passed. */
export interface PassedRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: IncomingMessage['headers'];
}

export interface S3Proxy {
  url: string;
  /** Every request so far, oldest first. */
  requests: PassedRequest[];
  /** Chooses what goes wrong with a request; nothing does where it answers undefined. */
  fault: (request: PassedRequest) => S3Fault | undefined;
  close(): Promise<void>;
}

/**
 * A proxy in front of an S3 store. It passes the name it was called by, so that signatures hold, and
 * lies where it is told to.
 */
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

/** The request as it came, but for its body. */
function forward(store: string, incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  const { hostname, port } = new URL(store);
  return new Promise((resolve, reject) => {
    const { method, url: path, headers } = incoming;
    const kept = { ...headers };
    delete kept['expect']; // it was answered here
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
