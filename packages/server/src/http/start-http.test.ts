import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startHttp } from './start-http.ts';

async function startWithShortTimeouts(): Promise<number> {
  const http = await startHttp({
    host: '127.0.0.1',
    port: 0,
    listener: (incoming, outgoing) => {
      incoming.on('error', () => undefined);
      incoming.on('end', () => outgoing.end('{}'));
      incoming.resume();
    },
    limits: { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 50 },
  });
  onTestFinished(() => http.close({ drain_ms: 0 }));
  return http.port;
}

test.each([
  ['a head that never ends', 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
  ['a body that never ends', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc'],
])('%s times out and closes the connection', async (_, bytes) => {
  const socket = connect(await startWithShortTimeouts(), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  const began = performance.now();
  const answer = await text(socket);
  expect(performance.now() - began).toBeLessThan(15_000);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
    code: 'registry.invalid_argument',
    message: 'The request timed out before it was complete.',
  });
});

test('a request on a kept connection gets a response during a shutdown, which closes the connection', async () => {
  const http = await startHttp({
    host: '127.0.0.1',
    port: 0,
    listener: (_, outgoing) => void outgoing.end('{}'),
  });
  const socket = connect(http.port, '127.0.0.1');
  const request = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n';
  socket.write(request);
  const [first] = await once(socket, 'data');
  expect(String(first)).toContain('Connection: keep-alive');
  const closed = http.close({ drain_ms: 5000 });
  await untilRefused(http.port);
  const answer = text(socket);
  socket.write(request);
  expect(await answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*Connection: close/);
  await closed;
});

async function untilRefused(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
    } catch {
      return;
    } finally {
      socket.destroy();
    }
  }
}

test('a kept connection without a request does not delay a shutdown', async () => {
  const http = await startHttp({
    host: '127.0.0.1',
    port: 0,
    listener: (_, outgoing) => void outgoing.end('{}'),
  });
  const socket = connect(http.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'data');
  const began = performance.now();
  await http.close({ drain_ms: 60_000 });
  expect(performance.now() - began).toBeLessThan(10_000);
});
