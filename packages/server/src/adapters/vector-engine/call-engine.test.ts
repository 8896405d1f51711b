import { sendJson, startFakeServer, type Answer } from '@catalog/testkit/fake-server';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { resolveHost } from '../egress/check-address.ts';
import { createSendRequest } from '../egress/send-request.ts';
import { callEngine, type EngineCall } from './call-engine.ts';

const KEY = 'a-secret-key';
const send = createSendRequest(
  {
    allowed_hosts: ['127.0.0.1'],
    proxy: { http: undefined, https: undefined, except: [] },
    ca_file: undefined,
  },
  resolveHost,
);
const answer = z.object({ count: z.int() });

async function callOnce(
  respond: Answer,
  given: Partial<EngineCall<{ count: number }>> = {},
  signal?: AbortSignal,
): Promise<{ count: number }> {
  const { url } = await startFakeServer(respond);
  const door = { name: 'The engine', url, headers: { 'api-key': KEY }, send };
  return callEngine(door, { method: 'POST', path: '/x', body: {}, answer, ...given }, signal);
}

test('callEngine sends the API key and parses the response', async () => {
  const seen: unknown[] = [];
  const respond: Answer = (request, response) => {
    seen.push(request.headers['api-key'], request.headers['content-type'], request.body);
    sendJson(response, { count: 3, more: true });
  };
  expect(await callOnce(respond, { body: { a: 'ü' } })).toEqual({ count: 3 });
  expect(await callOnce(respond, { lines: '{}\n{}' })).toEqual({ count: 3 });
  expect(seen).toEqual([
    KEY,
    'application/json',
    '{"a":"ü"}',
    KEY,
    'application/x-ndjson',
    '{}\n{}',
  ]);
});

test.each<[string, Answer, string]>([
  ['a wrong key', (_, response) => sendJson(response, {}, { status: 401 }), 'rejected the API key'],
  [
    'too many requests',
    (_, response) => sendJson(response, {}, { status: 429 }),
    'too many requests',
  ],
  ['a failure', (_, response) => sendJson(response, {}, { status: 503 }), 'internal error (503)'],
  [
    'a refusal',
    (_, response) => sendJson(response, { error: 'dim\u001b[0m' }, { status: 400 }),
    'rejected (400): {"error":"dim',
  ],
  ['a redirect', (_, response) => sendJson(response, {}, { status: 302 }), 'rejected (302)'],
  ['a page', (_, response) => void response.end('<html>'), 'unexpected response format'],
  [
    'something else',
    (_, response) => sendJson(response, { count: 'NaN' }),
    'unexpected response format',
  ],
  ['no answer', (_, response) => void response.destroy(), 'no response'],
  [
    'half an answer',
    (_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"count":');
      setTimeout(() => response.destroy(), 20);
    },
    'no response',
  ],
])('callEngine reports %s without the URL and the API key', async (_, respond, reason) => {
  const failure = callOnce(respond);
  await expect(failure).rejects.toMatchObject({
    code: 'registry.unavailable',
    retryable: true,
    message: expect.stringContaining(reason),
  });
  const message = await failure.then(String, String);
  expect(message).not.toContain(KEY);
  expect(message).not.toContain('127.0.0.1');
  expect(message).not.toContain('\u001b');
});

test('callEngine returns `absent` if the engine does not know the requested object', async () => {
  const respond: Answer = (_, response) => sendJson(response, {}, { status: 404 });
  expect(await callOnce(respond, { absent: { count: 0 } })).toEqual({ count: 0 });
  await expect(callOnce(respond)).rejects.toMatchObject({ code: 'registry.unavailable' });
});

test('callEngine times out if the engine does not respond', async () => {
  const started = performance.now();
  await expect(callOnce(() => undefined, { urgent: true })).rejects.toMatchObject({
    message: expect.stringContaining('no response'),
  });
  expect(performance.now() - started).toBeLessThan(6000);
  const stop = new AbortController();
  const pendingCall = callOnce(() => undefined, {}, stop.signal);
  setTimeout(() => stop.abort(), 20);
  await expect(pendingCall).rejects.toThrow('abort');
});
