import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { CERT, KEY } from '@catalog/testkit/loopback-certificate';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ConnectionLimits } from './connection-limits.ts';
import { connectionsWithin, streamsWithin } from './connection-limits.ts';
import { clientOf } from './guard-connections.ts';
import { startHttp, type RunningHttp } from './start-http.ts';
import { endInPieces } from './write-in-pieces.ts';

const SHORT: Partial<ConnectionLimits> = {
  handshakeTimeout: 200,
  headersTimeout: 200,
  requestTimeout: 300,
  responseTimeout: 200,
  closeTimeout: 100,
  connectionsCheckingInterval: 20,
};
/** Longer than all limits together; a connection that is open afterwards is never closed. */
const MAX_CLOSE_MS = 3000;
/** Larger than the buffers of the operating system. */
const LARGE = Buffer.alloc(32 * 1024 * 1024);
const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

async function start(
  limits: Partial<ConnectionLimits>,
  { tls = false, listener = respondLarge, isTrustedProxy = () => false }: StartOptions = {},
): Promise<RunningHttp> {
  const http = await startHttp({
    host: '127.0.0.1',
    port: 0,
    limits: { maxConnections: 1000, ...limits },
    listener,
    isTrustedProxy,
    ...(tls && { tls: { cert: CERT, key: KEY } }),
  });
  onTestFinished(() => http.close({ drain_ms: 0 }));
  return http;
}

interface StartOptions {
  tls?: boolean;
  listener?: RequestListener;
  isTrustedProxy?: (address: string) => boolean;
}

const respondLarge: RequestListener = (incoming, outgoing) => {
  incoming.on('error', () => undefined);
  incoming.on('end', () => void endInPieces(outgoing, LARGE));
  incoming.resume();
};

const respondByPath: RequestListener = (incoming, outgoing) => {
  if (incoming.url === '/short') outgoing.end('{}');
  else respondLarge(incoming, outgoing);
};

const respondShort: RequestListener = (_, outgoing) => void outgoing.end('{}');

async function open(
  port: number,
  tls: boolean,
  bytes = '',
  localAddress = '127.0.0.1',
): Promise<Socket> {
  const options = { port, host: '127.0.0.1', localAddress, allowHalfOpen: true };
  const socket = tls ? connectTls({ ...options, rejectUnauthorized: false }) : connect(options);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, tls ? 'secureConnect' : 'connect');
  if (bytes !== '') socket.write(bytes);
  return socket;
}

function untilEvent(socket: Socket, name: 'close' | 'end'): Promise<void> {
  return new Promise((resolve) => void socket.once(name, () => resolve()));
}

/** Waits until the server has destroyed a connection, which then resets further bytes. */
async function untilDestroyed(socket: Socket, after_ms: number): Promise<void> {
  const closed = untilEvent(socket, 'close');
  await delay(after_ms);
  const probing = setInterval(() => socket.write('x'), 20);
  try {
    const isClosed = await Promise.race([closed.then(() => true), delay(MAX_CLOSE_MS, false)]);
    expect(isClosed).toBe(true);
  } finally {
    clearInterval(probing);
  }
}

describe.each([
  ['http', false],
  ['https', true],
])('connection limits over %s', (_, tls) => {
  test.each([
    ['sends nothing', '', 500],
    ['sends part of the headers', 'GET / HTTP/1.1\r\nX-Slow: ', 500],
    ['sends bytes that are not HTTP', '\u0000\u0001\r\n\r\n', 300],
    ['sends part of a body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc', 600],
    ['does not read a response', GET, 800],
  ])('destroys a connection that %s and stays open', async (_what, bytes, after_ms) => {
    const { port } = await start(SHORT, { tls });
    await untilDestroyed(await open(port, tls, bytes), after_ms);
  });

  test('keeps a connection whose client reads a response slowly', async () => {
    const { port } = await start({ ...SHORT, responseTimeout: 700 }, { tls });
    const socket = await open(port, tls, GET);
    let size = 0;
    socket.on('data', (bytes: Buffer) => (size += bytes.length));
    const started = performance.now();
    for (let before = -1; size > before;) {
      before = size;
      while (size < before + LARGE.length / 16 && size < LARGE.length && !socket.destroyed) {
        await delay(1);
      }
      socket.pause();
      await delay(150);
      socket.resume();
    }
    expect(size).toBeGreaterThan(LARGE.length);
    expect(performance.now() - started).toBeGreaterThan(2 * 700);
  });

  test('destroys a connection whose client reads less than the minimum of a response', async () => {
    const closed = Promise.withResolvers<boolean>();
    const listener: RequestListener = (incoming, outgoing) => {
      outgoing.once('close', () => closed.resolve(outgoing.writableFinished));
      respondLarge(incoming, outgoing);
    };
    // More than a client reads with 64 KiB every 10 ms.
    const limits = { ...SHORT, responseTimeout: 1000, minResponseBytes: LARGE.length / 2 };
    const { port } = await start(limits, { tls, listener });
    const socket = await open(port, tls, GET);
    const reading = setInterval(() => void socket.read(), 10);
    onTestFinished(() => clearInterval(reading));
    expect(await Promise.race([closed.promise, delay(MAX_CLOSE_MS)])).toBe(false);
  });

  test.each([
    ['one response', GET],
    ['several responses', GET.repeat(3)],
  ])('closes a connection with unread bytes of %s if the listener is full', async (_what, gets) => {
    const limits = { maxConnections: 4, connectionsCheckingInterval: 20 };
    const { port } = await start(limits, { tls, listener: respondByPath });
    const slow: Socket[] = [];
    for (let index = 0; index < 4; index += 1) slow.push(await open(port, tls, gets));
    await delay(300);
    for (let index = 0; index < 3; index += 1) {
      const socket = await open(port, tls, 'GET /short HTTP/1.1\r\nHost: localhost\r\n\r\n');
      const [bytes] = await once(socket, 'data');
      expect(String(bytes)).toContain('200 OK');
    }
  });

  test("does not count the handler's time against responseTimeout", async () => {
    const { port } = await start(SHORT, {
      tls,
      listener: (_incoming, outgoing) => void setTimeout(() => outgoing.end('late'), 600),
    });
    const socket = await open(port, tls, GET);
    const [bytes] = await once(socket, 'data');
    expect(String(bytes)).toContain('200 OK');
  });

  test('closes within its timeout with unfinished clients', async () => {
    const http = await start({}, { tls });
    const sockets = [
      await open(http.port, false),
      await open(http.port, false, '\u0016\u0003\u0001'),
      await open(http.port, tls, 'GET / HTTP/1.1\r\nX-Slow: '),
      await open(http.port, tls, GET),
    ];
    const started = performance.now();
    await http.close({ drain_ms: 300 });
    expect(performance.now() - started).toBeLessThan(MAX_CLOSE_MS);
    expect(sockets).toHaveLength(4);
  });
});

test.each([
  ['sends nothing', ''],
  ['sends part of a handshake', '\u0016\u0003\u0001'],
])('destroys a connection without a TLS handshake whose client %s', async (_, bytes) => {
  const { port } = await start(SHORT, { tls: true });
  await untilDestroyed(await open(port, false, bytes), 400);
});

test('destroys a connection whose client sends a TLS handshake byte by byte', async () => {
  const { port } = await start(SHORT, { tls: true });
  const socket = await open(port, false, '\u0016\u0003\u0001\u0002\u0000');
  // Every byte is progress, so only a limit for the whole handshake can end the connection.
  await untilDestroyed(socket, 0);
});

describe('connection limits per client address', () => {
  async function openMany(
    port: number,
    first: string,
    count = 6,
  ): Promise<{ sockets: Socket[]; listOpen: () => number[] }> {
    const sockets: Socket[] = [];
    for (let index = 0; index < count; index += 1) {
      const socket = await open(port, false, first);
      socket.resume();
      if (first.endsWith('\r\n\r\n')) await once(socket, 'data');
      sockets.push(socket);
    }
    await delay(300);
    const listOpen = (): number[] =>
      sockets.flatMap((socket, index) => (socket.readableEnded || socket.destroyed ? [] : [index]));
    return { sockets, listOpen };
  }

  test('close the newest incomplete connection if all are young', async () => {
    const { port } = await start({ maxIncompletePerAddress: 4 }, { listener: respondShort });
    expect((await openMany(port, '')).listOpen()).toEqual([0, 1, 2, 3]);
  });

  test('close the oldest incomplete connections', async () => {
    const { port } = await start(
      { maxIncompletePerAddress: 4, minAgeToReplace: 0 },
      { listener: respondShort },
    );
    expect((await openMany(port, '')).listOpen()).toEqual([2, 3, 4, 5]);
  });

  test('count connections with an incomplete body', async () => {
    const { port } = await start({ maxIncompletePerAddress: 4, minAgeToReplace: 0 });
    const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc';
    expect((await openMany(port, post)).listOpen()).toEqual([2, 3, 4, 5]);
  });

  test('keep connections that are idle after a request', async () => {
    const { port } = await start({ maxIncompletePerAddress: 4 }, { listener: respondShort });
    expect((await openMany(port, GET)).listOpen()).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('do not apply to a trusted proxy', async () => {
    const { port } = await start(
      { maxIncompletePerAddress: 4, maxConnections: 4 },
      { listener: respondShort, isTrustedProxy: (address) => address === '127.0.0.1' },
    );
    expect((await openMany(port, '', 4)).listOpen()).toEqual([0, 1, 2, 3]);
  });

  test.each([
    ['without a request', ''],
    ['idle after a request', GET],
  ])('a full listener closes the oldest connection %s', async (_, first) => {
    const { port } = await start(
      { maxIncompletePerAddress: 100, maxConnections: 4 },
      { listener: respondShort },
    );
    const { listOpen } = await openMany(port, first);
    expect(listOpen()).toEqual([2, 3, 4, 5]);
    const newest = await open(port, false, GET);
    const [bytes] = await once(newest, 'data');
    expect(String(bytes)).toContain('200 OK');
  });

  test('a full listener closes a connection of the client with the most, not the oldest', async () => {
    const limits = { maxConnections: 5, connectionsCheckingInterval: 20 };
    const { port } = await start(limits, { listener: respondByPath });
    const other = await open(port, false, '', '127.0.7.1');
    const slow: Socket[] = [];
    for (let index = 0; index < 4; index += 1) slow.push(await open(port, false, GET));
    await delay(300);
    for (let index = 0; index < 3; index += 1) slow.push(await open(port, false, GET));
    await delay(300);
    other.write('GET /short HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [bytes] = await once(other, 'data');
    expect(String(bytes)).toContain('200 OK');
  });

  test('a listener full of requests in progress refuses a new connection', async () => {
    const { port } = await start({ maxConnections: 2 }, { listener: () => undefined });
    const busy = [await open(port, false, GET), await open(port, false, GET)];
    await delay(100);
    const third = await open(port, false, GET);
    third.resume();
    await Promise.race([untilEvent(third, 'close'), untilEvent(third, 'end')]);
    expect(busy.map(({ destroyed }) => destroyed)).toEqual([false, false]);
  });
});

test.each([
  ['192.0.2.1', '192.0.2.1', true],
  ['192.0.2.1', '::ffff:192.0.2.1', true],
  ['192.0.2.1', '192.0.2.2', false],
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['fe80::1%eth0', 'fe80::2', true],
])('clientOf(%s) and clientOf(%s) are equal: %s', (one, other, expected) => {
  expect(clientOf(one) === clientOf(other)).toBe(expected);
});

test.each([
  [1024, 896, 672],
  [1_048_576, 1_048_448, 786_336],
  [100, 64, 48],
])(
  'of %i descriptors, the main listener uses %i and streams use %i',
  (descriptors, connections, streams) => {
    expect(connectionsWithin(descriptors)).toBe(connections);
    expect(streamsWithin(connections)).toBe(streams);
  },
);
