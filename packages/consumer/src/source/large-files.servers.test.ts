import { mkdirSync } from 'node:fs';
import { INLINE_CUTOFF_BYTES } from '@catalog/contract/limits';
import { batchLoad } from '@catalog/contract/endpoints/materialization';
import { openConnection } from '@catalog/sdk/connection';
import { download } from '@catalog/sdk/sync-calls';
import { startProxy } from '@catalog/testkit/recording-proxy';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { openTestBucket } from '@catalog/testkit/s3-bucket';
import { startS3Proxy, type S3Proxy } from '@catalog/testkit/s3-proxy';
import { startFakeServer } from '@catalog/testkit/fake-server';
import { readTree, temporaryFolder } from '@catalog/testkit/temporary-folder';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../config/load-config.ts';
import type { SyncReport } from '../sync/report.ts';
import { runSync } from '../sync/run-sync.ts';
import { openNodeTransport } from './node-transport.ts';

const MODEL = Buffer.alloc(INLINE_CUTOFF_BYTES * 2, 'model');

async function serve(): Promise<{ server: RegistryServer; store: S3Proxy }> {
  const bucket = await openTestBucket();
  onTestFinished(() => bucket.empty());
  const store = await startS3Proxy(bucket.options.endpoint ?? '');
  onTestFinished(() => store.close());
  const server = await startRegistry({
    settings: { ...bucket.settings, 'object_store.endpoint': store.url },
  });
  await server.ingest({
    'ops/check/ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\n---\n',
    'ops/check/SKILL.md': '---\nname: check\ndescription: Checks what has to be.\n---\nDo it.\n',
    'ops/check/assets/model.bin': MODEL,
  });
  store.requests.length = 0;
  return { server, store };
}

interface Place {
  sync(registry: string): Promise<SyncReport>;
  tree(): Record<string, string>;
}

function createPlace(): Place {
  const root = temporaryFolder();
  const target = `${root}/work`;
  mkdirSync(target);
  const home = `${root}/home`;
  return {
    sync: (registry) =>
      runSync(
        loadConfig({
          cwd: target,
          home,
          env: { CATALOG_REGISTRY: registry, CATALOG_HARNESS: 'harness-a' },
          flags: {},
        }),
        { mode: 'sync', wait_ms: 0 },
      ),
    tree: () => readTree(target, ['.catalog']),
  };
}

describe('large files of a registry with a bucket', () => {
  test('are fetched from the bucket instead of the registry', async () => {
    const { server, store } = await serve();
    const registry = await startProxy(server.url);
    const place = createPlace();
    await place.sync(registry.url);
    const [path] = Object.keys(place.tree()).filter((name) => name.endsWith('model.bin'));
    expect(place.tree()[path ?? '']).toBe(MODEL.toString());
    expect(store.requests.map(({ method }) => method)).toEqual(['GET']);
    expect(registry.requests.filter((request) => request.path.includes('/objects/'))).toEqual([]);
  });

  test('are fetched without the token of the registry', async () => {
    const { server, store } = await serve();
    const tokens = { token: () => Promise.resolve('secret') };
    const transport = openNodeTransport({});
    const connection = openConnection({ registry: server.url, transport, tokens });
    const [item] = await server.call(batchLoad, { body: { ids: ['ops/check'] } });
    const url = item?.status === 'ok' ? (item.resources[0]?.presigned_url ?? '') : '';
    const bytes = await download(connection, { url, size: MODEL.length });
    expect(MODEL.equals(bytes)).toBe(true);
    expect(store.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(JSON.stringify(store.requests)).not.toContain('secret');
  });

  test('are requested at new URLs once, after the old ones have expired', async () => {
    const { server, store } = await serve();
    const registry = await startProxy(server.url);
    let refusals = 1;
    store.fault = () => (refusals-- > 0 ? { kind: 'refuse', status: 403 } : undefined);
    const place = createPlace();
    await place.sync(registry.url);
    expect(Object.keys(place.tree()).some((name) => name.endsWith('model.bin'))).toBe(true);
    expect(store.requests).toHaveLength(2);
    expect(registry.requests.filter(({ path }) => path.includes('batchLoad'))).toHaveLength(2);
  });

  test('are not written if their hash does not match', async () => {
    const { server, store } = await serve();
    store.fault = () => ({ kind: 'corrupt_answer' });
    const place = createPlace();
    await expect(place.sync(server.url)).rejects.toMatchObject({
      code: 'materialize.content_hash_mismatch',
    });
    expect(place.tree()).toEqual({});
  });

  test('are not fetched from a redirect of the bucket, and the error hides the signature', async () => {
    const { server, store } = await serve();
    const redirect_target = await startFakeServer((_, response) => void response.end(MODEL));
    store.fault = () => ({ kind: 'redirect', location: `${redirect_target.url}/stolen` });
    const place = createPlace();
    const failure: unknown = await place.sync(server.url).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'materialize.fetch_failed' });
    expect(redirect_target.requests).toEqual([]);
    expect(String(failure)).toContain(store.url);
    expect(String(failure)).not.toContain('X-Amz-Signature');
    expect(place.tree()).toEqual({});
  });
});
