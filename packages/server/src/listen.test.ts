import { createServer } from 'node:net';
import { once } from 'node:events';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadSettings } from './config/load.ts';
import { openLog } from './observe/log.ts';
import { startRegistry, type RunningRegistry } from './start.ts';
import { freePort } from '../../../tools/services/free-port.ts';

const output = { write: () => undefined };
const { log: SILENT } = openLog({ level: 'silent', format: 'json', output });

function load(env: Readonly<Record<string, string>>, bind = '127.0.0.1:0') {
  const home = temporaryFolder();
  return loadSettings({ cwd: home, home, env, flags: { bind } }).settings;
}

async function start(env: Readonly<Record<string, string>>): Promise<RunningRegistry> {
  const running = await startRegistry(load(env), SILENT);
  onTestFinished(() => running.close());
  return running;
}

async function statusesOf(origin: string | undefined): Promise<Record<string, number>> {
  const paths = ['/healthz', '/readyz', '/metrics', '/v1/layers', '/v1/events'];
  const statuses = paths.map(async (path) => {
    const response = await fetch(`${origin}${path}`, { signal: AbortSignal.timeout(10_000) });
    await response.body?.cancel();
    return [path, response.status] as const;
  });
  return Object.fromEntries(await Promise.all(statuses));
}

describe('management_bind', () => {
  test('moves metrics to its own listener, which also serves only health', async () => {
    const { url, management_url } = await start({ CATALOG_MANAGEMENT_BIND: '127.0.0.1:0' });
    expect(management_url).not.toBe(url);
    const health = { '/healthz': 200, '/readyz': 200 };
    const api = { '/v1/layers': 200, '/v1/events': 200 };
    expect(await statusesOf(url)).toEqual({ ...health, ...api, '/metrics': 404 });
    const none = { '/v1/layers': 404, '/v1/events': 404 };
    expect(await statusesOf(management_url)).toEqual({ ...health, ...none, '/metrics': 200 });
    const scraped = await (await fetch(`${management_url}/metrics`)).text();
    expect(scraped).toMatch(/^catalog_requests_total\{endpoint="list_layers",status="2xx"\} 1$/m);
  });

  test('is optional: without it, the registry serves metrics on its main listener', async () => {
    const { url, management_url } = await start({});
    expect(management_url).toBeUndefined();
    expect(await statusesOf(url)).toMatchObject({ '/metrics': 200, '/v1/layers': 200 });
  });

  test('serves only health if metrics are disabled', async () => {
    const env = { CATALOG_MANAGEMENT_BIND: '127.0.0.1:0', CATALOG_METRICS: 'false' };
    const { url, management_url } = await start(env);
    expect(await statusesOf(management_url)).toMatchObject({ '/readyz': 200, '/metrics': 404 });
    expect(await statusesOf(url)).toMatchObject({ '/metrics': 404 });
  });

  test('is closed with the registry', async () => {
    const settings = load({ CATALOG_MANAGEMENT_BIND: '127.0.0.1:0' });
    const running = await startRegistry(settings, SILENT);
    await running.close();
    for (const origin of [running.url, running.management_url]) {
      await expect(fetch(`${origin}/healthz`)).rejects.toMatchObject({
        cause: { code: 'ECONNREFUSED' },
      });
    }
  });

  test('on a port in use stops the start and leaves no listener open', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const address = other.address();
    const taken = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const { bind } = load({}, `127.0.0.1:${await freePort()}`);
    const settings = load({ CATALOG_MANAGEMENT_BIND: taken }, bind);
    await expect(startRegistry(settings, SILENT)).rejects.toMatchObject({
      code: 'config.invalid',
      details: { key: 'management_bind', value: taken },
      suggested_action: expect.stringContaining('management_bind'),
    });
    await expect(fetch(`http://${bind}/healthz`)).rejects.toThrow('fetch failed');
  });

  test.each([
    ['127.0.0.1:8080', '127.0.0.1:8080'],
    ['127.0.0.1:8080', ':8080'],
    ['127.0.0.1:8080', '0.0.0.0:8080'],
  ])('cannot share the port: bind %s, management_bind %s', (bind, management) => {
    expect(() => load({ CATALOG_MANAGEMENT_BIND: management }, bind)).toThrow(
      /management_bind is .* but bind uses the same port/,
    );
  });

  test.each([
    ['9090', /must be an address and a port/],
    ['http://127.0.0.1:9090', /must be an address and a port/],
  ])('rejects %s', (value, message) => {
    expect(() => load({ CATALOG_MANAGEMENT_BIND: value })).toThrow(message);
  });
});
