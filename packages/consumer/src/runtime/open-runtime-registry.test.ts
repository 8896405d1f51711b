import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CatalogError } from '@catalog/contract/errors/catalog-error';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { startFaultyProxy, type FaultyProxy } from '@catalog/testkit/faulty-proxy';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import {
  createRuntimePlace,
  unsignedToken,
  type RuntimePlace,
} from '@catalog/testkit/runtime-place';
import { temporaryFolder, type FileTree } from '@catalog/testkit/temporary-folder';
import { verifies } from '@catalog/testkit/verifies';
import { runSync } from '../sync/run-sync.ts';
import type { LoadedArtifact } from './runtime-registry.ts';

function skill(name: string, version: string, body = 'Do it.'): FileTree {
  return {
    [`${name}/ARTIFACT.md`]: `---\ntype: skill\nversion: ${version}\ntags: [deploy]\n---\n`,
    [`${name}/SKILL.md`]: `---\nname: ${name.split('/').at(-1)}\ndescription: Rolls out ${name} to the fleet.\n---\n${body}\n`,
  };
}

const CATALOG: FileTree = {
  'ops/DOMAIN.md': '---\ndescription: Keeping the fleet running.\n---\n',
  ...skill('ops/rollout', '1.0.0'),
  ...skill('ops/rollback', '1.0.0'),
  'ops/rollout/scripts/run.sh': { x: '#!/bin/sh\n' },
  'ops/rollout/assets/large.bin': new Uint8Array(300_000).fill(7),
};

interface Stage {
  server: RegistryServer;
  proxy: FaultyProxy;
  place: RuntimePlace;
}

async function openStage(registry_files = CATALOG): Promise<Stage> {
  const server = await startRegistry({ layers: { base: registry_files } });
  const proxy = await startFaultyProxy(server.url);
  onTestFinished(() => proxy.close());
  return { server, proxy, place: createRuntimePlace(temporaryFolder(), proxy.url) };
}

function plain({ artifact, ...metadata }: LoadedArtifact): object {
  const { id, version, content_hash, resources } = artifact;
  const files = resources.map(({ path, executable, bytes }) => [
    path,
    executable,
    bytesHash(bytes),
  ]);
  return { id, version, content_hash, files, ...metadata };
}

const FROM_CACHE = { status: 'offline', served_from_cache: true };
const ID = 'ops/rollout';

describe('runtime registry that is reachable', () => {
  test('serves the four operations without an offline status', async () => {
    const { place } = await openStage();
    const registry = place.open('always-revalidate');
    const found = await registry.searchArtifacts({ query: 'rollout' });
    expect(found.results[0]).toMatchObject({ id: ID });
    expect(await registry.searchDomains({ query: 'fleet' })).toMatchObject({ total_matched: 1 });
    expect((await registry.loadDomain({})).subdomains).toMatchObject([{ path: 'ops' }]);
    const seen: number[] = [];
    const onProgress = (done: number): number => seen.push(done);
    const loaded = await registry.loadArtifact({ id: ID, onProgress });
    expect(loaded).toMatchObject({ layer: 'base', deprecated: false });
    expect(loaded.artifact.resources.map(({ path, executable }) => [path, executable])).toEqual([
      ['assets/large.bin', false],
      ['scripts/run.sh', true],
    ]);
    expect(seen).toEqual([1, 2, 3, 4]);
    for (const answer of [found, loaded]) {
      expect(answer).not.toHaveProperty('status');
      expect(answer).not.toHaveProperty('served_from_cache');
    }
  });

  test('stores a package once, even if it is loaded several times', async () => {
    const { place } = await openStage();
    const registry = place.open('always-revalidate');
    for (let turn = 0; turn < 3; turn += 1) await registry.loadArtifact({ id: ID });
    expect(readdirSync(`${place.cache}/packs`)).toHaveLength(1);
    rmSync(`${place.cache}/packs`, { recursive: true });
    await registry.loadArtifact({ id: ID });
    expect(readdirSync(`${place.cache}/packs`)).toHaveLength(1);
  });

  test('rejects a missing artifact, and the cache does not serve it either', async () => {
    const { server, place } = await openStage();
    const registry = place.open('always-revalidate');
    await registry.loadArtifact({ id: ID });
    await server.ingest(skill('ops/rollback', '1.0.0'));
    const code = 'registry.not_found';
    await expect(registry.loadArtifact({ id: ID })).rejects.toMatchObject({ code });
    const offline = place.open('offline-only');
    await expect(offline.loadArtifact({ id: ID })).rejects.toMatchObject({
      code: 'network.offline_cache_miss',
    });
  });
});

describe('cache mode always-revalidate', () => {
  verifies(
    ['CACHE-01', 'CACHE-03'],
    'serves from the cache with an offline status if the registry is unreachable',
    async () => {
      const { proxy, place } = await openStage();
      const registry = place.open('always-revalidate');
      const before = await registry.loadArtifact({ id: ID });
      await registry.loadDomain({});
      await proxy.close();
      const loaded = await registry.loadArtifact({ id: ID });
      expect(plain(loaded)).toEqual({ ...plain(before), ...FROM_CACHE });
      expect(await registry.loadArtifact({ id: ID, version: '1.x' })).toMatchObject(FROM_CACHE);
      const found = await registry.searchArtifacts({ query: 'rolls out', top_k: 5 });
      expect(found).toMatchObject({ ...FROM_CACHE, total_matched: 1, results: [{ id: ID }] });
      const map = await registry.loadDomain({ path: 'ops' });
      expect(map).toMatchObject({
        ...FROM_CACHE,
        description: 'Keeping the fleet running.',
        notable: [{ id: ID }],
      });
      const domains = await registry.searchDomains({ query: 'fleet' });
      expect(domains).toMatchObject({ ...FROM_CACHE, domains: [{ path: 'ops' }] });
      expect(await registry.searchArtifacts({ query: 'xyzzy quux' })).toMatchObject({
        ...FROM_CACHE,
        total_matched: 0,
      });
    },
  );

  verifies('CACHE-02', 'fails with registry_unreachable if nothing is cached', async () => {
    const { proxy, place } = await openStage();
    await proxy.close();
    const registry = place.open('always-revalidate');
    const code = 'network.registry_unreachable';
    await expect(registry.loadArtifact({ id: ID })).rejects.toMatchObject({ code });
    await expect(registry.searchArtifacts({})).rejects.toMatchObject({ code });
    await expect(registry.searchDomains({ query: 'x' })).rejects.toMatchObject({ code });
    await expect(registry.loadDomain({})).rejects.toMatchObject({ code });
  });

  test('loads packages that a sync cached, if they are complete', async () => {
    const { proxy, place } = await openStage();
    const env = { CATALOG_HARNESS: 'harness-a' };
    await runSync(place.configure(env), { mode: 'sync', wait_ms: 0 });
    await proxy.close();
    const registry = place.open('always-revalidate');
    expect(await registry.searchArtifacts({})).toMatchObject({ ...FROM_CACHE, total_matched: 2 });
    expect(await registry.loadArtifact({ id: 'ops/rollback' })).toMatchObject(FROM_CACHE);
    rmSync(`${place.cache}/blobs`, { recursive: true });
    const code = 'network.registry_unreachable';
    await expect(registry.loadArtifact({ id: ID })).rejects.toMatchObject({ code });
    const fresh = place.open('always-revalidate');
    expect(await fresh.searchArtifacts({})).toMatchObject({ total_matched: 1 });
  });
});

describe('cache mode offline-first', () => {
  verifies(
    'CACHE-05',
    'serves from the cache without an offline status if the registry is unreachable',
    async () => {
      const { proxy, place } = await openStage();
      const registry = place.open('offline-first');
      await registry.loadArtifact({ id: ID });
      await proxy.close();
      const cached_results = [
        await registry.loadArtifact({ id: ID }),
        await registry.searchArtifacts({ query: 'rollout' }),
        await registry.loadDomain({}),
        await registry.searchDomains({ query: 'fleet' }),
      ];
      for (const answer of cached_results) {
        expect(answer).not.toHaveProperty('status');
        expect(answer).not.toHaveProperty('served_from_cache');
      }
    },
  );

  test('returns empty results with an offline status if nothing is cached (SPEC-43)', async () => {
    const { proxy, place } = await openStage();
    await proxy.close();
    const registry = place.open('offline-first');
    const nothing = { status: 'offline', total_matched: 0 };
    expect(await registry.searchArtifacts({})).toEqual({ ...nothing, query: '', results: [] });
    expect(await registry.loadDomain({ path: 'ops' })).toMatchObject({ status: 'offline' });
    await expect(registry.loadArtifact({ id: ID })).rejects.toMatchObject({
      code: 'network.registry_unreachable',
    });
  });
});

describe('cache mode offline-only', () => {
  verifies(
    ['CACHE-06', 'CACHE-07', 'ERR-64'],
    'serves only from the cache and never contacts the registry',
    async () => {
      const { proxy, place } = await openStage();
      await place.open('always-revalidate').loadArtifact({ id: ID });
      const request_count = proxy.paths.length;
      const registry = place.open('offline-only', { overlay: () => undefined });
      expect(await registry.loadArtifact({ id: ID })).toMatchObject(FROM_CACHE);
      expect(await registry.searchArtifacts({})).toMatchObject({ total_matched: 1 });
      const code = 'network.offline_cache_miss';
      await expect(registry.loadArtifact({ id: 'ops/rollback' })).rejects.toMatchObject({
        code,
        details: { artifact_id: 'ops/rollback' },
      });
      await expect(registry.loadArtifact({ id: ID, version: '2.0.0' })).rejects.toMatchObject({
        code,
      });
      const other_place = createRuntimePlace(temporaryFolder(), proxy.url).open('offline-only');
      await expect(other_place.searchArtifacts({})).rejects.toMatchObject({ code });
      await expect(other_place.loadDomain({})).rejects.toMatchObject({ code });
      expect(proxy.paths).toHaveLength(request_count);
    },
  );
});

describe('cache of one user', () => {
  const ada = { CATALOG_TOKEN: unsignedToken('ada-lovelace') };
  const bob = { CATALOG_TOKEN: unsignedToken('bob') };

  test('is not readable by another user on the same machine, although packages are shared', async () => {
    const { proxy, place } = await openStage();
    await place.open('always-revalidate', { env: ada }).loadArtifact({ id: ID });
    await place.open('always-revalidate', { env: ada }).loadDomain({});
    await proxy.close();
    expect(
      await place.open('always-revalidate', { env: ada }).loadArtifact({ id: ID }),
    ).toMatchObject(FROM_CACHE);
    for (const env of [bob, {}]) {
      const other = place.open('always-revalidate', { env });
      const code = 'network.registry_unreachable';
      await expect(other.loadArtifact({ id: ID })).rejects.toMatchObject({ code });
      await expect(other.searchArtifacts({})).rejects.toMatchObject({ code });
      await expect(other.loadDomain({})).rejects.toMatchObject({ code });
    }
    const names = readdirSync(`${place.cache}/index`).join();
    expect(names).not.toMatch(/lovelace|rollout/);
  });

  test('is not used for another registry', async () => {
    const { server, proxy, place } = await openStage();
    await place.open('always-revalidate').loadArtifact({ id: ID });
    await proxy.close();
    const env = { CATALOG_REGISTRY: `${server.url}/elsewhere` };
    const code = 'network.offline_cache_miss';
    const other = place.open('offline-only', { env });
    await expect(other.loadArtifact({ id: ID })).rejects.toMatchObject({ code });
  });
});

describe('corrupt responses', () => {
  const mismatch = 'materialize.content_hash_mismatch';
  const changeBody = (body: string): string => body.replace('Do it.', 'Do that.');
  const replaceId = (path: string): string => path.replace('rollout', 'rollback');

  test.each([
    ['other bytes', { kind: 'changing', change: changeBody }, mismatch],
    ['another artifact', { kind: 'asking', path: replaceId }, mismatch],
    ['half of it', { kind: 'truncating' }, 'network.registry_unreachable'],
    ['a broken connection', { kind: 'cut' }, 'network.registry_unreachable'],
  ] as const)('%s: is rejected, or the cached artifact is served', async (_, fault, code) => {
    const { proxy, place } = await openStage();
    proxy.fault = fault;
    const registry = place.open('always-revalidate');
    await expect(registry.loadArtifact({ id: ID })).rejects.toMatchObject({ code });
    proxy.fault = { kind: 'well' };
    const before = await registry.loadArtifact({ id: ID });
    proxy.fault = fault;
    const cached = await registry.loadArtifact({ id: ID });
    expect(plain(cached)).toEqual({ ...plain(before), ...FROM_CACHE });
  });

  test('another version is rejected', async () => {
    const { server, proxy, place } = await openStage();
    await server.ingest({ ...CATALOG, ...skill(ID, '2.0.0') });
    const registry = place.open('always-revalidate');
    const pinned = { id: ID, version: '2.0.0' };
    proxy.fault = { kind: 'asking', path: (path) => path.replace('2.0.0', '1.0.0') };
    await expect(registry.loadArtifact(pinned)).rejects.toMatchObject({ code: mismatch });
    proxy.fault = { kind: 'well' };
    expect((await registry.loadArtifact(pinned)).artifact.version).toBe('2.0.0');
  });

  test('changed bytes of a large file are rejected', async () => {
    const { server, proxy, place } = await openStage();
    const registry = place.open('always-revalidate');
    proxy.fault = {
      kind: 'changing',
      change: (body) => body.replaceAll(server.url, proxy.url).replace('\u0007', '\u0008'),
    };
    const code = await registry.loadArtifact({ id: ID }).then(
      () => 'loaded',
      (error: CatalogError) => error.code,
    );
    expect(code).toBe(mismatch);
    expect(proxy.paths.at(-1)).toContain('/objects/');
  });

  test('a corrupt cache entry counts as missing', async () => {
    const { proxy, place } = await openStage();
    const registry = place.open('always-revalidate');
    await registry.loadArtifact({ id: ID });
    const [name = ''] = readdirSync(`${place.cache}/packs`);
    const path = `${place.cache}/packs/${name}`;
    writeFileSync(path, readFileSync(path).toString('latin1').replace('Do it', 'Do id'), 'latin1');
    await proxy.close();
    await expect(registry.loadArtifact({ id: ID })).rejects.toMatchObject({
      code: 'network.registry_unreachable',
    });
  });
});

describe('slow registry', () => {
  const limits = { discovery_ms: 300, load_ms: 500 };

  test.each([{ kind: 'hanging' }, { kind: 'slow', every_ms: 50 }] as const)(
    '%s: counts as unreachable after the timeout',
    async (fault) => {
      const { proxy, place } = await openStage();
      const registry = place.open('always-revalidate', { limits });
      await place.open('always-revalidate').loadArtifact({ id: ID });
      proxy.fault = fault;
      const started = performance.now();
      expect(await registry.searchArtifacts({})).toMatchObject(FROM_CACHE);
      expect(await registry.loadArtifact({ id: ID })).toMatchObject(FROM_CACHE);
      const code = 'network.registry_unreachable';
      await expect(registry.loadArtifact({ id: 'ops/rollback' })).rejects.toMatchObject({ code });
      expect(performance.now() - started).toBeLessThan(2500);
    },
  );

  test("rejects immediately with the caller's reason if the caller aborts", async () => {
    const { proxy, place } = await openStage();
    const registry = place.open('offline-first');
    proxy.fault = { kind: 'hanging' };
    const reason = new Error('enough');
    const signal = AbortSignal.timeout(100);
    const stop = new AbortController();
    signal.addEventListener('abort', () => stop.abort(reason));
    await expect(registry.searchArtifacts({}, stop.signal)).rejects.toBe(reason);
  });
});
