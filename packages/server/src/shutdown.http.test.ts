import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { reingestLayer, updateLayer } from '@catalog/contract/endpoints/layers';
import { createWebhook } from '@catalog/contract/endpoints/webhooks';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { expect, test } from 'vitest';
import type { Settings } from './config/settings.ts';

const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: How to greet a visitor.\n---\nWave.\n';

function start(settings: Partial<Settings> = {}): Promise<RegistryServer> {
  const layers = { base: { 'ops/greet/ARTIFACT.md': RULE } };
  return startRegistry({ settings, layers, keep: true });
}

function holdIngests({ registry }: RegistryServer, until: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  registry.sources.local.read = async (_tenant, _layer, _request, signal) => {
    resolve();
    if (!signal.aborted) await once(signal, 'abort');
    await until;
    throw signal.reason;
  };
  return promise;
}

test('a request that waits for an ingest gets a response during shutdown: the ingest runs after the next start', async () => {
  const server = await start();
  // Longer than cutting a connection takes, because git may need a moment to end.
  const reading = holdIngests(server, delay(1200));
  const waiting = server.request(reingestLayer, { query: { id: 'base' } });
  await reading;
  await server.close();
  const { status, body } = await waiting;
  expect(status).toBe(500);
  expect(body).toMatchObject({
    code: 'registry.unavailable',
    message: expect.stringContaining('runs after the next start'),
  });
});

test('ingests and webhook deliveries share the grace period', async () => {
  const server = await start();
  const { sender } = server.registry.webhooks;
  const sending = Promise.withResolvers<void>();
  const given_up = Promise.withResolvers<void>();
  sender.check = async () => undefined;
  sender.send = async (_url, _headers, _body, signal) => {
    sending.resolve();
    await once(signal, 'abort');
    given_up.resolve();
    throw signal.reason;
  };
  await server.call(createWebhook, { body: { url: 'https://receiver.example/hook' } });
  await server.call(updateLayer, { query: { id: 'base' }, body: { owner: 'ann' } });
  await sending.promise;
  const reading = holdIngests(server, given_up.promise);
  await server.call(reingestLayer, { query: { id: 'base', wait: 'false' } });
  await reading;
  await server.close();
});

test('a slow stop logs the pending requests, ingests and webhook deliveries', async () => {
  const server = await start({ 'log.level': 'info', shutdown_timeout: 5 });
  const { sender } = server.registry.webhooks;
  const sending = Promise.withResolvers<void>();
  sender.check = async () => undefined;
  sender.send = async (_url, _headers, _body, signal) => {
    sending.resolve();
    await once(signal, 'abort');
    throw signal.reason;
  };
  const receiver = await server.call(createWebhook, {
    body: { url: 'https://receiver.example/hook' },
  });
  await server.call(updateLayer, { query: { id: 'base' }, body: { owner: 'ann' } });
  await sending.promise;
  const reading = holdIngests(server, Promise.resolve());
  const waiting = server.request(reingestLayer, { query: { id: 'base' } });
  await reading;
  await server.close();
  await waiting;
  const slow = server.log.filter((line) => line.includes('still stopping'));
  expect(slow.length).toBeGreaterThan(1);
  expect(JSON.parse(slow[0] ?? '')).toMatchObject({
    level: 'info',
    seconds: 2,
    requests: { reingest_layer: 1 },
    ingests: ['base'],
    webhooks: [receiver.id],
  });
});

test('a quick stop logs nothing about waiting', async () => {
  const server = await start({ 'log.level': 'info' });
  await server.close();
  expect(server.log.join('\n')).not.toContain('still stopping');
});
