import { rmSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startFaultyProxy } from '@catalog/testkit/faulty-proxy';
import { startRegistry } from '@catalog/testkit/registry-server';
import { createRuntimePlace } from '@catalog/testkit/runtime-place';
import { readTree, temporaryFolder, type FileTree } from '@catalog/testkit/temporary-folder';
import { verifies } from '@catalog/testkit/verifies';
import { openDiscovery } from '../discover/open-discovery.ts';
import type { SyncReport } from '../sync/report.ts';
import { runSync } from '../sync/run-sync.ts';

const CATALOG: FileTree = {
  'ops/check/SKILL.md': '---\nname: check\ndescription: Checks the fleet.\n---\nDo it.\n',
};

async function openStage() {
  const server = await startRegistry({ layers: { base: CATALOG } });
  const proxy = await startFaultyProxy(server.url);
  onTestFinished(() => proxy.close());
  const place = createRuntimePlace(temporaryFolder(), proxy.url);
  const sync = (mode: string | undefined): Promise<SyncReport> =>
    runSync(
      place.configure({
        CATALOG_HARNESS: 'harness-a',
        ...(mode === undefined ? {} : { CATALOG_CACHE_MODE: mode }),
      }),
      { mode: 'sync', wait_ms: 0 },
    );
  return { proxy, place, sync };
}

describe('sync with an unreachable registry', () => {
  const code = 'network.registry_unreachable';

  test('fails unless the cache mode allows the cache, even if data is cached', async () => {
    const { proxy, sync } = await openStage();
    await sync(undefined);
    await proxy.close();
    await expect(sync(undefined)).rejects.toMatchObject({ code });
    await expect(sync('always-revalidate')).rejects.toMatchObject({ code });
  });

  test('writes cached artifacts with offline-first', async () => {
    const { proxy, place, sync } = await openStage();
    await sync(undefined);
    const before = readTree(place.workspace, ['.catalog']);
    await proxy.close();
    rmSync(`${place.workspace}/.harness-a`, { recursive: true });
    await sync('offline-first');
    expect(readTree(place.workspace, ['.catalog'])).toEqual(before);
  });

  test('fails with offline-first if nothing is cached', async () => {
    const { proxy, sync } = await openStage();
    await proxy.close();
    await expect(sync('offline-first')).rejects.toMatchObject({ code });
  });
});

describe('sync with offline-only', () => {
  test('writes cached artifacts or fails, without contacting the registry', async () => {
    const { proxy, sync } = await openStage();
    const missed = { code: 'network.offline_cache_miss' };
    await expect(sync('offline-only')).rejects.toMatchObject(missed);
    expect(proxy.paths).toEqual([]);
    await sync(undefined);
    const request_count = proxy.paths.length;
    const report = await sync('offline-only');
    expect(report.targets[0]).toMatchObject({ changes: [], unchanged: 1 });
    expect(proxy.paths).toHaveLength(request_count);
  });
});

verifies('CACHE-06', 'discovery does not contact the registry with offline-only', async () => {
  const { proxy, place } = await openStage();
  const config = place.configure({ CATALOG_CACHE_MODE: 'offline-only' });
  const discovery = await openDiscovery(config);
  await expect(discovery.searchArtifacts({})).rejects.toMatchObject({
    code: 'network.offline_cache_miss',
  });
  expect(proxy.paths).toEqual([]);
});

verifies('ENV-06', 'CATALOG_CACHE_MODE accepts only its three values', async () => {
  const place = createRuntimePlace(temporaryFolder(), 'http://127.0.0.1:1');
  for (const mode of ['always-revalidate', 'offline-first', 'offline-only']) {
    const { cache_mode } = place.configure({ CATALOG_CACHE_MODE: mode });
    expect(cache_mode?.value).toBe(mode);
  }
  expect(place.configure().cache_mode).toBeUndefined();
  expect(() => place.configure({ CATALOG_CACHE_MODE: 'sometimes' })).toThrow(
    /CATALOG_CACHE_MODE is sometimes/,
  );
});
