import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { healthz, metrics, readyz } from '@catalog/contract/endpoints/operations';
import { OBJECTS_IN_A_FOLDER } from '@catalog/testkit/test-backend';
import { startRegistry } from '@catalog/testkit/registry-server';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../../tests/requirements/verifies.ts';

describe('/healthz', () => {
  verifies(['OPS-01', 'OPS-08', 'OPS-09'], 'says the mode and nothing else', async () => {
    const open = await startRegistry();
    const { status, body } = await open.request(healthz);
    expect(status).toBe(200);
    expect(body).toEqual({ mode: 'ready' });

    const published = await startRegistry({ settings: { public_mode: true } });
    expect((await published.request(healthz)).body).toEqual({ mode: 'public' });
  });

  test('is alive while its store is not', async () => {
    const server = await startRegistry();
    await server.registry.store.close();
    expect((await server.request(healthz)).status).toBe(200);
  });
});

describe('/readyz', () => {
  verifies(['OPS-02', 'OPS-11'], 'is ready when its stores answer', async () => {
    const server = await startRegistry();
    const { status, body } = await server.request(readyz);
    expect(status).toBe(200);
    expect(body).toEqual({ mode: 'ready', replication_lag_seconds: 0 });
  });

  verifies(
    ['OPS-02', 'OPS-05', 'OPS-13'],
    'is not ready when the metadata store fails',
    async () => {
      const server = await startRegistry();
      await server.registry.store.close();
      const { status, body } = await server.request(readyz);
      expect(status).toBe(503);
      expect(body).toEqual({ mode: 'not_ready', replication_lag_seconds: 0 });
    },
  );

  verifies(['OPS-05', 'OPS-13'], 'is not ready when the object store fails', async () => {
    const server = await startRegistry({ settings: OBJECTS_IN_A_FOLDER });
    await rm(join(server.folder, 'objects'), { recursive: true });
    const { status, body } = await server.request(readyz);
    expect(status).toBe(503);
    expect(body).toMatchObject({ mode: 'not_ready' });
  });

  verifies('OPS-16', 'outside of read-only mode no answer says so', async () => {
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

  verifies('OPS-07', 'is like any unknown path when switched off', async () => {
    const server = await startRegistry({ settings: { metrics: false } });
    const { status, body } = await server.request(metrics);
    const unknown = await server.request('/metric');
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'registry.not_found' });
    expect(unknown.body).toMatchObject({ code: 'registry.not_found' });
  });
});
