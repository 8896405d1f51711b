import { once } from 'node:events';
import { createServer, get, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { toRequest, writeResponse } from './web-bridge.ts';

const CHUNK = new Uint8Array(65_536);
/** More than the buffers of the connection hold. */
const CHUNKS = 1_000;

async function serveLongResponse() {
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
  const clientRequest = get(`http://127.0.0.1:${port}/`);
  clientRequest.on('error', () => undefined);
  const [answer]: IncomingMessage[] = await once(clientRequest, 'response');
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
  const clientRequest = request(`http://127.0.0.1:${port}/mcp`, { method: 'POST' });
  clientRequest.on('error', () => undefined);
  clientRequest.end('{}');
  return { asked: clientRequest, ...(await received.promise) };
}

test('aborts a request whose client disconnects before the response', async () => {
  const { asked: clientRequest, signal } = await sendRequest();
  clientRequest.destroy();
  await expect.poll(() => signal.aborted).toBe(true);
});

test('does not abort a request after its response', async () => {
  const { asked: clientRequest, signal, outgoing } = await sendRequest();
  outgoing.end('{}');
  const [answer]: IncomingMessage[] = await once(clientRequest, 'response');
  answer?.resume();
  if (!outgoing.closed) await once(outgoing, 'close');
  expect(signal.aborted).toBe(false);
});

test('writeResponse reads a response at the speed of its host', async () => {
  const { answer, pulled, written } = await serveLongResponse();
  await delay(500);
  expect(pulled()).toBeLessThan(CHUNKS);
  answer.resume();
  expect(await written).toBe('whole');
  expect(pulled()).toBe(CHUNKS);
});

test('writeResponse stops reading when the host disconnects', async () => {
  const { answer, pulled, written } = await serveLongResponse();
  answer.destroy();
  expect(await written).toBe('broken off');
  expect(pulled()).toBeLessThan(CHUNKS);
});
