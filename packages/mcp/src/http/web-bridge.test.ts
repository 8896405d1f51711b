import { once } from 'node:events';
import { createServer, get, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { toRequest, writeResponse } from './web-bridge.ts';

const CHUNK = new Uint8Array(65_536);
/** Exceeds the buffers of the connection. */
const CHUNKS = 1_000;

async function serveLong() {
  let pulled = 0;
  const written = Promise.withResolvers<string>();
  const server = createServer((_, outgoing) => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(CHUNK);
        if (pulled === CHUNKS) controller.close();
      },
    });
    writeResponse(new Response(body), outgoing).then(
      () => written.resolve('whole'),
      () => written.resolve('broken off'),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port }: { port: number } = Object(server.address());
  const asked = get(`http://127.0.0.1:${port}/`);
  asked.on('error', () => undefined);
  const [answer]: IncomingMessage[] = await once(asked, 'response');
  if (answer === undefined) throw new Error('no answer came');
  answer.on('error', () => undefined);
  return { answer, pulled: () => pulled, written: written.promise };
}

async function sendRequest() {
  const received = Promise.withResolvers<{ signal: AbortSignal; outgoing: ServerResponse }>();
  const server = createServer((incoming, outgoing) => {
    const { signal } = toRequest(incoming, outgoing, Buffer.from('{}'));
    received.resolve({ signal, outgoing });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port }: { port: number } = Object(server.address());
  const asked = request(`http://127.0.0.1:${port}/mcp`, { method: 'POST' });
  asked.on('error', () => undefined);
  asked.end('{}');
  return { asked, ...(await received.promise) };
}

test('aborts a request whose client disconnects before the response', async () => {
  const { asked, signal } = await sendRequest();
  asked.destroy();
  await expect.poll(() => signal.aborted).toBe(true);
});

test('does not abort a request after its response', async () => {
  const { asked, signal, outgoing } = await sendRequest();
  outgoing.end('{}');
  const [answer]: IncomingMessage[] = await once(asked, 'response');
  answer?.resume();
  if (!outgoing.closed) await once(outgoing, 'close');
  expect(signal.aborted).toBe(false);
});

test('writeResponse reads a response at the speed of its host', async () => {
  const { answer, pulled, written } = await serveLong();
  await delay(500);
  expect(pulled()).toBeLessThan(CHUNKS);
  answer.resume();
  expect(await written).toBe('whole');
  expect(pulled()).toBe(CHUNKS);
});

test('writeResponse stops reading when the host disconnects', async () => {
  const { answer, pulled, written } = await serveLong();
  answer.destroy();
  expect(await written).toBe('broken off');
  expect(pulled()).toBeLessThan(CHUNKS);
});
