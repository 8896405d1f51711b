import { mkdirSync } from 'node:fs';
import { encodeStatement, type SignedVersion } from '@catalog/core/signing/version-statement';
import {
  bundleOf,
  keySetOf,
  newTestKey,
  NOTE,
  publishedKey,
  signedNote,
  signKeySet,
  startSignedRegistry,
  type SignedRegistry,
  type TestKey,
} from '@catalog/testkit/signed-registry';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../config/load-config.ts';
import { openRuntimeRegistry } from '../runtime/open-runtime-registry.ts';
import { runSync } from '../sync/run-sync.ts';

interface Place {
  registry: SignedRegistry;
  home: string;
  trusted: string[];
  /** Syncs in a new workspace with an empty cache; returns the number of requests. */
  sync: () => Promise<number>;
}

async function createPlace(): Promise<Place> {
  const registry = await startSignedRegistry();
  const home = temporaryFolder();
  const trusted: string[] = [];
  return {
    registry,
    home,
    trusted,
    sync: async () => {
      const work = temporaryFolder();
      const before = registry.server.requests.length;
      const env = {
        CATALOG_REGISTRY: registry.server.url,
        CATALOG_HARNESS: 'claude-code',
        CATALOG_CACHE_DIR: temporaryFolder(),
      };
      await runSync(loadConfig({ cwd: work, home, env, flags: {} }), {
        mode: 'sync',
        wait_ms: 0,
        onKeysTrusted: ({ key_ids }) => trusted.push(...key_ids),
      });
      return registry.server.requests.length - before;
    },
  };
}

function serve(registry: SignedRegistry, key: TestKey, change: Partial<SignedVersion> = {}): void {
  registry.bundle = bundleOf(key, encodeStatement({ ...signedNote(), ...change }));
  registry.fetched = registry.bundle;
}

const LATER = '2026-05-01T00:00:00.000Z';

describe('a client that trusts a registry', () => {
  test('trusts its key once, and then needs no request for keys', async () => {
    const { registry, sync, trusted } = await createPlace();
    expect(await sync()).toBe(3);
    expect(trusted).toEqual([registry.key.key_id]);
    expect(await sync()).toBe(2);
    expect(trusted).toHaveLength(1);
  });

  test('follows rotations that it missed', async () => {
    const { registry, sync, trusted } = await createPlace();
    await sync();
    const [first, second, third] = [registry.key, newTestKey(), newTestKey()];
    const end = { ended: 'retired', ended_at: LATER } as const;
    const both = keySetOf([publishedKey(first), publishedKey(second)], { version: 200 });
    const next = keySetOf([publishedKey(first, end), publishedKey(second), publishedKey(third)], {
      version: 300,
    });
    registry.key_sets.push(signKeySet(both, [second, first]), signKeySet(next, [third, second]));
    registry.header = '300';
    serve(registry, third, { signed_at: LATER });
    await sync();
    // Signatures that the first key made before its end stay valid.
    serve(registry, first);
    await sync();
    expect(trusted).toEqual([first.key_id]);
  });

  test('accepts versions of processes that sign with either key during a rotation', async () => {
    const { registry, sync } = await createPlace();
    await sync();
    const next = newTestKey();
    const both = keySetOf([publishedKey(registry.key), publishedKey(next)], { version: 200 });
    registry.key_sets.push(signKeySet(both, [next, registry.key]));
    for (const [header, key] of [
      ['100', next],
      ['200', registry.key],
      ['100', registry.key],
      ['200', next],
    ] as const) {
      registry.header = header;
      serve(registry, key);
      await sync();
    }
  });

  test('keeps the newer keys if a restored registry serves older ones', async () => {
    const { registry, sync } = await createPlace();
    const [older = signKeySet('', [])] = registry.key_sets;
    const newer = keySetOf([publishedKey(registry.key), publishedKey(newTestKey())], {
      version: 200,
    });
    registry.key_sets.push(signKeySet(newer, [registry.key]));
    registry.header = '200';
    await sync();
    registry.key_sets = [older];
    registry.header = '100';
    await sync();
    const after = keySetOf([publishedKey(registry.key)], { version: 300 });
    registry.key_sets.push(signKeySet(after, [registry.key]));
    registry.header = '300';
    await sync();
  });

  test('accepts a version that was signed again after a revocation', async () => {
    const { registry, sync } = await createPlace();
    await sync();
    const next = newTestKey();
    const revoked = publishedKey(registry.key, {
      ended: 'revoked',
      ended_at: '2026-01-01T00:00:00.000Z',
    });
    const set = keySetOf([revoked, publishedKey(next)], { version: 200 });
    registry.key_sets.push(signKeySet(set, [next, registry.key]));
    registry.header = '200';
    const stale = registry.bundle;
    serve(registry, next, { signed_at: LATER });
    // A cache of the registry may still have the former signature.
    registry.bundle = stale;
    await sync();
  });

  test('accepts unsigned versions after a signed end of signing, and a later start', async () => {
    const { registry, sync } = await createPlace();
    await sync();
    const former = publishedKey(registry.key, { ended: 'retired', ended_at: LATER });
    const ended = keySetOf([former], { version: 200, signing: 'ended' });
    registry.key_sets.push(signKeySet(ended, [registry.key]));
    registry.header = undefined;
    registry.bundle = undefined;
    registry.fetched = undefined;
    await sync();
    await sync();
    const again = keySetOf([publishedKey(registry.key)], { version: 300 });
    registry.key_sets.push(signKeySet(again, [registry.key]));
    registry.header = '300';
    await expect(sync()).rejects.toMatchObject({ code: 'materialize.signature_missing' });
    serve(registry, registry.key);
    await sync();
  });

  test('needs the signature of a pinned root key for every change of the keys', async () => {
    const { registry, sync, home, trusted } = await createPlace();
    const root = newTestKey();
    const pins = `registry_keys:\n  - {registry: "${registry.server.url}", root_key: "${root.key_id}"}\n`;
    writeTree(home, { '.catalog/sync.yaml': pins });
    const root_key = root.public_key;
    const first = keySetOf([publishedKey(registry.key)], { root_key });
    registry.key_sets = [signKeySet(first, [registry.key, root])];
    await sync();
    const next = newTestKey();
    const second = keySetOf([publishedKey(next)], { root_key, version: 200 });
    registry.key_sets.push(signKeySet(second, [registry.key, next]));
    registry.header = '200';
    serve(registry, next);
    const refused = { details: { reason: 'untrusted_key_set' } };
    await expect(sync()).rejects.toMatchObject(refused);
    registry.key_sets = [registry.key_sets[0] ?? signKeySet('', []), signKeySet(second, [root])];
    await sync();
    expect(trusted).toEqual([]);
  });

  test('loads a cached artifact without the registry, with its cached signature', async () => {
    const { registry, home } = await createPlace();
    const work = `${home}/work`;
    mkdirSync(work);
    const env = { CATALOG_REGISTRY: registry.server.url };
    const config = loadConfig({ cwd: work, home, env, flags: {} });
    const open = () => openRuntimeRegistry({ config, cache_mode: 'offline-first' });
    await open().loadArtifact({ id: NOTE.id });
    await registry.server.close();
    expect(await open().loadArtifact({ id: NOTE.id })).toMatchObject({ layer: 'base' });
  });
});
