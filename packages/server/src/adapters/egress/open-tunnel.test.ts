import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openTunnel } from './open-tunnel.ts';

const LIVE = new AbortController().signal;
const TARGET = { host: 'git.example', port: 443, addresses: ['203.0.113.1', '2001:db8::1'] };

async function startProxy(answer: (authority: string) => number) {
  const seen: string[] = [];
  const credentials: (string | undefined)[] = [];
  const server = createServer();
  server.on('connect', ({ url = '', headers }, socket) => {
    seen.push(url);
    credentials.push(headers['proxy-authorization']);
    socket.end(`HTTP/1.1 ${answer(url)} Answer\r\n\r\nhello`);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  return { seen, credentials, url: `http://ann:s%40cret@127.0.0.1:${port}` };
}

describe('openTunnel', () => {
  test('connects to a verified address', async () => {
    const { url, seen, credentials } = await startProxy(() => 200);
    const socket = await openTunnel(url, TARGET, undefined, LIVE);
    expect(await text(socket)).toBe('hello');
    expect(seen).toEqual(['203.0.113.1:443']);
    expect(credentials).toEqual([`Basic ${Buffer.from('ann:s@cret').toString('base64')}`]);
  });

  test('connects to the next address if the first one does not respond', async () => {
    const { url, seen } = await startProxy((authority) => (authority.startsWith('[') ? 200 : 504));
    await openTunnel(url, TARGET, undefined, LIVE);
    expect(seen).toEqual(['203.0.113.1:443', '[2001:db8::1]:443']);
  });

  test('sends the host name only if the proxy forbids addresses', async () => {
    const { url, seen } = await startProxy((authority) =>
      authority.startsWith('git') ? 200 : 403,
    );
    await openTunnel(url, TARGET, undefined, LIVE);
    expect(seen).toEqual(['203.0.113.1:443', '[2001:db8::1]:443', 'git.example:443']);
  });

  test('does not send the host name if the host does not respond', async () => {
    const { url, seen } = await startProxy((authority) =>
      authority.startsWith('git') ? 200 : 502,
    );
    await expect(openTunnel(url, TARGET, undefined, LIVE)).rejects.toThrow(
      'the proxy rejected the connection',
    );
    expect(seen).not.toContain('git.example:443');
  });

  test('sends the host name if it does not resolve locally', async () => {
    const { url, seen } = await startProxy(() => 200);
    await openTunnel(url, { ...TARGET, addresses: [] }, undefined, LIVE);
    expect(seen).toEqual(['git.example:443']);
  });

  test('rejects if the signal aborts', async () => {
    const { url } = await startProxy(() => 200);
    const tunnel = openTunnel(url, TARGET, undefined, AbortSignal.abort());
    await expect(tunnel).rejects.toThrow('aborted');
  });
});
