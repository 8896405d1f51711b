import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { RuntimeRegistry } from '@catalog/consumer/runtime/runtime-registry';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { expect, onTestFinished, test } from 'vitest';
import { openDiagnostics } from './diagnostics.ts';
import { serveHost } from './serve-host.ts';

type Loading = Parameters<RuntimeRegistry['loadArtifact']>;

function openHost(load: (...loading: Loading) => Promise<never>) {
  const input = new PassThrough();
  const output = new PassThrough();
  let log = '';
  const unused = () => Promise.reject(new Error('not in this test'));
  const registry = {
    loadDomain: unused,
    searchDomains: unused,
    searchArtifacts: unused,
    loadArtifact: load,
  };
  const handle = serveHost({
    input,
    output,
    memory: { capabilities: undefined, roots: undefined },
    settings: { min_clients: new Map() },
    openRuntime: () => Promise.resolve({ registry, materialize: unused }),
    diagnostics: openDiagnostics((text) => (log += text)),
    onEnd: () => output.end(),
  });
  onTestFinished(() => handle.close());
  const reader = createInterface({ input: output });
  const lines = reader[Symbol.asyncIterator]();
  const send = (message: object) =>
    input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const next = async (): Promise<Record<string, unknown>> =>
    JSON.parse(String((await lines.next()).value));
  const pause = () => void reader.pause();
  const resume = () => void reader.resume();
  return { input, output, send, next, log: () => log, pause, resume };
}

const OPENING = {
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test-host', version: '1.0.0' },
  },
};

function loadRequest(id: number, meta: object = {}): object {
  return {
    id,
    method: 'tools/call',
    params: { name: 'load_artifact', arguments: { id: 'a/b' }, _meta: meta },
  };
}

test('a load reports its progress if the host requested it', async () => {
  const host = openHost(({ onProgress }) => {
    for (const done of [1, 2, 2, 1, 4]) onProgress?.(done, 4);
    return Promise.reject(new Error('the end of the test'));
  });
  host.send(OPENING);
  expect(await host.next()).toMatchObject({ id: 1 });
  host.send(loadRequest(2, { progressToken: 'p' }));
  const notification = {
    method: 'notifications/progress',
    params: { progressToken: 'p', total: 4 },
  };
  expect(await host.next()).toMatchObject({
    ...notification,
    params: { ...notification.params, progress: 1 },
  });
  expect(await host.next()).toMatchObject({
    ...notification,
    params: { ...notification.params, progress: 4 },
  });
  expect(await host.next()).toMatchObject({ id: 2, result: { isError: true } });
  host.send(loadRequest(3));
  expect(await host.next()).toMatchObject({ id: 3 });
});

test('a canceled call stops and gets no response', async () => {
  const started = Promise.withResolvers<AbortSignal>();
  const host = openHost((_, signal) => {
    if (signal === undefined) throw new Error('no signal');
    started.resolve(signal);
    return once(signal, 'abort').then(() => Promise.reject(new Error('aborted')));
  });
  host.send(OPENING);
  await host.next();
  host.send(loadRequest(2));
  const signal = await started.promise;
  host.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
  host.send({ id: 3, method: 'ping' });
  expect(await host.next()).toMatchObject({ id: 3 });
  expect(signal.aborted).toBe(true);
  await delay(20);
  expect(host.log()).toBe('');
});

test('an unexpected failure affects one response and is logged with its cause', async () => {
  const host = openHost(() => Promise.reject(new TypeError('a defect')));
  host.send(OPENING);
  await host.next();
  host.send(loadRequest(2));
  expect(await host.next()).toMatchObject({
    id: 2,
    result: { isError: true, structuredContent: { code: 'registry.unknown' } },
  });
  expect(host.log()).toContain('TypeError: a defect');
  host.send({ id: 3, method: 'ping' });
  expect(await host.next()).toMatchObject({ id: 3 });
});

test('running calls get responses after stdin ends, then the server closes', async () => {
  const loading = Promise.withResolvers<never>();
  const host = openHost(() => loading.promise);
  host.send(OPENING);
  await host.next();
  host.send(loadRequest(2));
  host.input.end();
  setTimeout(() => loading.reject(new Error('late')), 50);
  expect(await host.next()).toMatchObject({ id: 2 });
  await once(host.output, 'end');
});

test('a host that does not read is paused and gets its responses when it reads', async () => {
  let startedLoads = 0;
  const host = openHost(() => {
    startedLoads += 1;
    return Promise.reject(new CatalogError('registry.not_found', 'x'.repeat(100_000)));
  });
  host.send(OPENING);
  await host.next();
  host.pause();
  for (let id = 2; id < 202; id += 1) host.send(loadRequest(id));
  await delay(200);
  expect(startedLoads).toBeLessThan(64);
  host.send({ method: 'notifications/cancelled', params: { requestId: 201 } });
  host.resume();
  const ids = new Set<unknown>();
  while (ids.size < 199) ids.add((await host.next())['id']);
  expect(ids.has(201)).toBe(false);
  host.send({ id: 300, method: 'ping' });
  expect(await host.next()).toMatchObject({ id: 300 });
  expect(startedLoads).toBe(199);
});

test('reading stops if the host does not read responses to invalid messages', async () => {
  const host = openHost(() => Promise.reject(new Error('not in this test')));
  host.send(OPENING);
  await host.next();
  host.pause();
  const count = 40;
  const long = 'x'.repeat(1_000_000);
  for (let index = 0; index < count; index += 1) host.send({ id: `${index} ${long}` });
  await expect.poll(() => host.input.isPaused()).toBe(true);
  expect(host.input.readableLength).toBeGreaterThan(0);
  host.resume();
  for (let index = 0; index < count; index += 1) {
    expect(String((await host.next())['id']).split(' ')[0]).toBe(String(index));
  }
});

test('a tool that requires no arguments can be called without them', async () => {
  const host = openHost(() => Promise.reject(new Error('not in this test')));
  host.send(OPENING);
  await host.next();
  host.send({ id: 2, method: 'tools/call', params: { name: 'load_domain' } });
  const response = JSON.stringify(await host.next());
  expect(response).not.toContain('rejected its argument');
  expect(host.log()).toContain('not in this test');
});
