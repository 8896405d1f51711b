import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { healthz, metrics, readyz } from '@catalog/contract/endpoints/operations';
import { OBJECTS_IN_A_FOLDER } from '@catalog/testkit/test-backend';
import { oidcSettings } from '@catalog/testkit/provider-in-test';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { startTokenIssuer } from '@catalog/testkit/token-issuer';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

/** Time for one round of dependency checks, which run every 5 s. */
const ROUND = { timeout: 12_000, interval: 50 };

async function gaugeOf(server: RegistryServer, part: string): Promise<string | undefined> {
  const { raw } = await server.request(metrics);
  return new RegExp(`^catalog_degraded\\{part="${part}"\\} (\\d)$`, 'm').exec(raw.toString())?.[1];
}

describe('/healthz', () => {
  verifies(['OPS-01', 'OPS-08', 'OPS-09'], 'returns only the mode', async () => {
    const open = await startRegistry();
    const { status, body } = await open.request(healthz);
    expect(status).toBe(200);
    expect(body).toEqual({ mode: 'ready' });

    const published = await startRegistry({ settings: { public_mode: true } });
    expect((await published.request(healthz)).body).toEqual({ mode: 'public' });
  });

  test('responds while the store is unavailable', async () => {
    const server = await startRegistry();
    await server.registry.store.close();
    expect((await server.request(healthz)).status).toBe(200);
  });
});

describe('/readyz', () => {
  verifies(['OPS-02', 'OPS-11'], 'is ready if the stores respond', async () => {
    const server = await startRegistry();
    const { status, body } = await server.request(readyz);
    expect(status).toBe(200);
    expect(body).toEqual({ mode: 'ready', replication_lag_seconds: 0 });
  });

  verifies(['OPS-02', 'OPS-05', 'OPS-13'], 'is not ready if the metadata store fails', async () => {
    const server = await startRegistry();
    await server.registry.store.close();
    const { status, body } = await server.request(readyz);
    expect(status).toBe(503);
    expect(body).toEqual({ mode: 'not_ready', replication_lag_seconds: 0 });
  });

  test('is not ready during the shutdown delay, in which requests are still served', async () => {
    const server = await startRegistry({ settings: { shutdown_delay: 1 }, keep: true });
    const closed = server.close();
    const { status, body } = await server.request(readyz);
    expect(status).toBe(503);
    expect(body).toEqual({ mode: 'not_ready', replication_lag_seconds: 0 });
    expect((await server.request(healthz)).status).toBe(200);
    expect((await server.request('/v1/search_artifacts?query=any')).status).toBe(200);
    await closed;
    // The server resets a connection that the client kept open.
    await expect(server.request(readyz)).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
  });

  test('stays ready without the object store and lists it as degraded until it recovers (SPEC-79)', async () => {
    const settings = { ...OBJECTS_IN_A_FOLDER, 'log.level': 'info' } as const;
    const server = await startRegistry({ settings });
    const objects = join(server.folder, 'objects');
    await rename(objects, `${objects}.gone`);
    const degraded = { mode: 'ready', replication_lag_seconds: 0, degraded: ['object_store'] };
    await expect.poll(async () => (await server.request(readyz)).body, ROUND).toEqual(degraded);
    expect((await server.request(readyz)).status).toBe(200);
    expect(await gaugeOf(server, 'object_store')).toBe('1');
    expect(await gaugeOf(server, 'git_host')).toBe('0');

    await rename(`${objects}.gone`, objects);
    await expect
      .poll(async () => (await server.request(readyz)).body, ROUND)
      .toEqual({ mode: 'ready', replication_lag_seconds: 0 });
    expect(await gaugeOf(server, 'object_store')).toBe('0');
    const lines = server.log.filter((line) => line.includes('"part":"object_store"'));
    expect(lines).toEqual([
      expect.stringContaining('the object store is unavailable'),
      expect.stringContaining('the object store has recovered'),
    ]);
  });

  test('stays ready without the issuer and lists it as degraded', async () => {
    const issuer = await startTokenIssuer();
    await issuer.stop();
    const server = await startRegistry({ settings: oidcSettings(issuer) });
    await expect
      .poll(async () => (await server.request(readyz)).body, ROUND)
      .toMatchObject({ mode: 'ready', degraded: ['identity_provider'] });
    const headers = { authorization: `Bearer ${issuer.mint()}` };
    const refused = await server.request('/v1/whoami', { headers });
    expect(refused).toMatchObject({
      status: 503,
      headers: { 'retry-after': expect.stringMatching(/^[1-5]$/) },
      body: { code: 'registry.unavailable', retryable: true },
    });
    expect(refused.headers['www-authenticate']).toBeUndefined();
    await issuer.restart();
    await expect
      .poll(async () => (await server.request(readyz)).body, { ...ROUND, timeout: 20_000 })
      .toEqual({ mode: 'ready', replication_lag_seconds: 0 });
  }, 40_000);

  verifies('OPS-16', 'responses have no read-only headers outside read-only mode', async () => {
    const server = await startRegistry();
    for (const path of ['/readyz', '/v1/layers', '/v1/load_artifact?id=none']) {
      const { headers } = await server.request(path);
      expect(Object.keys(headers).filter((name) => name.includes('read-only'))).toEqual([]);
    }
  });
});

describe('/metrics', () => {
  verifies('OPS-06', 'counts requests in the text format', async () => {
    const server = await startRegistry();
    await server.request('/v1/layers');
    await server.request('/v1/layers');
    const { status, headers, raw } = await server.request(metrics);
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(raw.toString()).toMatch(/^[a-z_]+\{[^}]*endpoint="list_layers"[^}]*\} 2$/m);
  });

  verifies('OPS-07', 'returns 404 like any unknown path if metrics are disabled', async () => {
    const server = await startRegistry({ settings: { metrics: false } });
    const { status, body } = await server.request(metrics);
    const unknown = await server.request('/metric');
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'registry.not_found' });
    expect(unknown.body).toMatchObject({ code: 'registry.not_found' });
  });
});
