import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '../../../tools/seeded-random.ts';

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  random: SeededRandom;
  /** Target of redirects, to which no request may ever be sent. */
  trap: string;
}

/** Responds to a request; returns true if the sender must count the delivery as accepted. */
export type Behavior = (exchange: Exchange) => Promise<boolean> | boolean;

export const accept: Behavior = ({ response }) => {
  response.writeHead(204).end();
  return true;
};

const fail: Behavior = ({ response, random }) => {
  const status = random.pick([400, 404, 429, 500, 502, 503]);
  const headers = random.int(4) === 0 ? { 'retry-after': '1' } : {};
  response.writeHead(status, headers).end('not now');
  return false;
};

const redirect: Behavior = ({ response, random, trap }) => {
  response.writeHead(random.pick([301, 302, 303, 307, 308]), { location: trap }).end();
  return false;
};

/** Closes the connection before, in, or after the head of the response. */
const reset: Behavior = ({ request, response, random }) => {
  const { socket } = request;
  const part = random.pick(['', 'HTTP/1.1 2', 'HTTP/1.1 200 OK\r\ncontent-le']);
  if (part === '') {
    if (random.int(2) === 0) response.destroy();
    else socket.resetAndDestroy();
    return false;
  }
  socket.write(part, () => socket.destroy());
  return false;
};

/** Never responds; the connection stays open until the receiver recovers. */
export const neverAnswer: Behavior = () => false;

const MAX_DELAY_MS = 1500;

const respondSlowly: Behavior = async (exchange) => {
  await delay(exchange.random.int(MAX_DELAY_MS), undefined, { ref: false });
  return accept(exchange);
};

const truncate: Behavior = ({ response }) => {
  response.writeHead(200, { 'content-length': '5000' });
  response.write('a part', () => response.destroy());
  return true;
};

/** Responds with 200 and a body that does not end. */
const flood: Behavior = ({ response }) => {
  response.writeHead(200);
  const chunk = Buffer.alloc(65_536, 'x');
  const write = (): void => {
    while (response.writable && response.write(chunk));
  };
  response.on('drain', write);
  write();
  return true;
};

/** Responds with 200 and stops within the body, but keeps the connection. */
const stall: Behavior = ({ response }) => {
  response.writeHead(200, { 'content-length': '5000' });
  response.write('a part');
  return true;
};

/** Invalid HTTP responses that start like a success. */
const INVALID_RESPONSES: readonly string[] = [
  'HTTP/1.1 2OO OK\r\ncontent-length: 0\r\n\r\n',
  'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n',
  'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 7\r\n\r\nok',
  'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\nok',
  `HTTP/1.1 200 OK\r\nx-large: ${'x'.repeat(20_000)}\r\ncontent-length: 0\r\n\r\n`,
  'SMTP ready\r\n',
];

const lie: Behavior = ({ request: { socket }, random }) => {
  socket.write(random.pick(INVALID_RESPONSES), () => socket.destroy());
  return false;
};

const leave: Behavior = ({ response }) => {
  response.writeHead(410).end();
  return false;
};

const alternate: Behavior = (exchange) =>
  exchange.random.int(2) === 0 ? accept(exchange) : fail(exchange);

export interface ReceiverKind {
  name: string;
  behavior: Behavior;
  event_filter?: readonly string[];
  debounce_ms?: number;
  /** True if it holds requests until the timeout of the sender, which takes longer than a short run. */
  is_long?: boolean;
}

export const RECEIVER_KINDS: readonly ReceiverKind[] = [
  { name: 'healthy', behavior: accept },
  { name: 'healthy, filtered', behavior: accept, event_filter: ['layer.ingested'] },
  { name: 'failing', behavior: fail },
  { name: 'flaky', behavior: alternate, event_filter: ['artifact.published'] },
  { name: 'redirecting', behavior: redirect },
  { name: 'resetting', behavior: reset },
  { name: 'hanging', behavior: neverAnswer },
  { name: 'slow', behavior: respondSlowly, event_filter: ['layer.ingested'] },
  { name: 'truncating', behavior: truncate, event_filter: ['layer.ingested'] },
  { name: 'flooding', behavior: flood, event_filter: ['layer.ingested'] },
  { name: 'stalling', behavior: stall, event_filter: ['layer.ingested'], is_long: true },
  { name: 'lying', behavior: lie },
  { name: 'gone', behavior: leave },
  { name: 'debounced', behavior: accept, debounce_ms: 1000 },
  { name: 'debounced, failing', behavior: fail, debounce_ms: 2000 },
  { name: 'debounced, hanging', behavior: neverAnswer, debounce_ms: 1000 },
];
