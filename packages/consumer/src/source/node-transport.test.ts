import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { sendJson, startFakeServer } from '@catalog/testkit/fake-server';
import type { TransportResponse } from '@catalog/sdk/transport';
import { openNodeTransport } from './node-transport.ts';

function sendRequest(
  url: string,
  proxy: Record<string, string> = {},
  body?: string,
): Promise<TransportResponse> {
  return openNodeTransport(proxy)({
    method: body === undefined ? 'GET' : 'POST',
    url,
    headers: {},
    body,
    connect_ms: 2000,
    signal: new AbortController().signal,
  });
}

async function textOf(response: TransportResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.chunks()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('Node transport', () => {
  test('sends a body and returns the response', async () => {
    const { url, requests } = await startFakeServer((_, response) =>
      sendJson(response, { ok: true }, { status: 201, headers: { 'x-one': '1' } }),
    );
    const response = await sendRequest(`${url}/path?a=b`, {}, '{"é":1}');
    expect(response.status).toBe(201);
    expect(response.header('x-one')).toBe('1');
    expect(await textOf(response)).toBe('{"ok":true}');
    expect(requests[0]).toMatchObject({ method: 'POST', path: '/path?a=b', body: '{"é":1}' });
  });

  test('limits the number of parallel connections', async () => {
    let open = 0;
    let max_open = 0;
    const { url } = await startFakeServer((_, response) => {
      max_open = Math.max(max_open, (open += 1));
      setTimeout(() => {
        open -= 1;
        sendJson(response, {});
      }, 50);
    });
    const send = openNodeTransport({});
    const signal = new AbortController().signal;
    const request = { method: 'GET', url, headers: {}, body: undefined, connect_ms: 5000, signal };
    await Promise.all(Array.from({ length: 24 }, async () => textOf(await send(request))));
    expect(max_open).toBe(8);
  });

  test('requests compression only for remote hosts, and decompresses responses', async () => {
    const { url, requests } = await startFakeServer((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('plain'));
    });
    expect(await textOf(await sendRequest(url))).toBe('plain');
    expect(requests[0]?.headers['accept-encoding']).toBeUndefined();
    await textOf(await sendRequest('http://registry.test/', { HTTP_PROXY: url }));
    expect(requests[1]?.headers['accept-encoding']).toBe('gzip');
  });

  test.each([
    ['plain', {}, 'cut'],
    ['compressed', { 'content-encoding': 'gzip' }, gzipSync('a'.repeat(5000)).subarray(0, 20)],
  ])('rejects a truncated response, %s', async (_, headers, part) => {
    const { url } = await startFakeServer((__, response) => {
      response.writeHead(200, { 'content-length': 1000, ...headers }).write(part);
      setTimeout(() => response.destroy(), 20);
    });
    await expect(textOf(await sendRequest(url))).rejects.toThrow();
  });

  test('uses the proxy of the environment, except for this machine', async () => {
    const proxy = await startFakeServer((_, response) => sendJson(response, 'through the proxy'));
    const direct = await startFakeServer((_, response) => sendJson(response, 'direct'));
    const variables = { HTTP_PROXY: proxy.url, NO_PROXY: 'spared.test' };
    const answer = await sendRequest('http://registry.test/v1', variables);
    expect(await textOf(answer)).toBe('"through the proxy"');
    expect(proxy.requests[0]?.path).toBe('http://registry.test/v1');
    expect(await textOf(await sendRequest(direct.url, variables))).toBe('"direct"');
    await expect(sendRequest('http://spared.test:1/', variables)).rejects.toThrow(
      /ENOTFOUND|EAI_AGAIN/,
    );
    expect(proxy.requests).toHaveLength(1);
  });

  test('stops if the signal is aborted, even in the middle of a response', async () => {
    const { url } = await startFakeServer((_, response) => {
      response.writeHead(200).write('a');
    });
    const stop = new AbortController();
    const response = await openNodeTransport({})({
      method: 'GET',
      url,
      headers: {},
      body: undefined,
      connect_ms: 2000,
      signal: stop.signal,
    });
    setTimeout(() => stop.abort(), 20);
    await expect(textOf(response)).rejects.toThrow();
  });
});
