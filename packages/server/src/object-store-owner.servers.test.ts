import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import {
  createDatabase,
  dropDatabase,
  temporaryDatabase,
} from '@catalog/testkit/postgres-database';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { openTestBucket, type TestBucket } from '@catalog/testkit/s3-bucket';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { openSettings } from '@catalog/testkit/varied-registry';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newId } from './adapters/id.ts';
import { OWNER_FILE } from './adapters/objects/owner-file.ts';
import { openS3Objects } from './adapters/objects/s3-objects.ts';
import { openPostgresStore } from './adapters/store/postgres/open-store.ts';
import { backUp, restore } from './compose-operations.ts';
import type { Settings } from './config/settings.ts';
import type { OperationHooks } from './operations/operation-hooks.ts';
import { adoptObjectStore, findOwner } from './registry/object-store/adopt-object-store.ts';
import { guardObjects, type OwnerChange } from './registry/object-store/guard-objects.ts';
import { collectObjects } from './registry/retention/collect-objects.ts';
import { useRegistry } from './use-registry.ts';

const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: How to greet a visitor.\n---\nWave.\n';
const MODEL = Buffer.alloc(300_000, 'model');
const FILES = { 'ops/greet/ARTIFACT.md': RULE, 'ops/greet/model.bin': MODEL };
const hooks: OperationHooks = { report: () => undefined, signal: new AbortController().signal };

async function testBucket(): Promise<TestBucket> {
  const bucket = await openTestBucket();
  onTestFinished(() => bucket.empty());
  return bucket;
}

async function startOn(dsn: string, bucket: TestBucket): Promise<RegistryServer> {
  return startRegistry({
    settings: { 'store.type': 'postgres', 'store.dsn': dsn, ...bucket.settings },
  });
}

async function copyDatabase(name: string): Promise<{ dsn: string }> {
  const copy = await createDatabase(name);
  onTestFinished(() => dropDatabase(copy.name));
  return copy;
}

describe('registry on PostgreSQL and S3', () => {
  test('of an earlier release claims its bucket, with all its processes at once', async () => {
    const settings = await openSettings('standard');
    const earlier = await startRegistry({ settings, keep: true });
    await earlier.ingest(FILES);
    await earlier.close();
    // Stores of earlier releases have no identity, and their buckets have no owner.
    await runSql(settings['store.migration_dsn'] ?? '', 'DELETE FROM catalog.store_identity');
    const bucket = await testBucket();
    const unclaimed = openS3Objects(bucket.options);
    await unclaimed.put(1, bytesHash(MODEL), MODEL);
    const upgraded: Partial<Settings> = { ...settings, ...bucket.settings, 'log.level': 'info' };
    const servers = await Promise.all([1, 2, 3].map(() => startRegistry({ settings: upgraded })));
    const owner = await unclaimed.getOwner();
    expect(owner).toBeDefined();
    for (const { registry } of servers) {
      expect(await findOwner(registry)).toEqual({ decision: 'owned', identity: owner, owner });
    }
    expect(servers.flatMap(({ log }) => log).join('\n')).toContain('claimed the object store');
  });

  test('refuses to start on the bucket of another database', async () => {
    const bucket = await testBucket();
    const first = await startOn((await temporaryDatabase()).dsn, bucket);
    const { dsn } = await temporaryDatabase();
    await expect(startOn(dsn, bucket)).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining('belongs to another database'),
      suggested_action: expect.stringContaining('catalog admin adopt-bucket'),
    });
    const nested = { ...bucket.settings, 'object_store.prefix': `${bucket.options.prefix}/own` };
    await startOn(dsn, { ...bucket, settings: nested });
    expect((await findOwner(first.registry)).decision).toBe('owned');
  });

  test('stops writing and deleting when another database adopts its bucket', async () => {
    const bucket = await testBucket();
    const former = await startOn((await temporaryDatabase()).dsn, bucket);
    await former.ingest(FILES);
    const heir = await startOn((await temporaryDatabase()).dsn, await testBucket());
    const objects = guardObjects({
      objects: openS3Objects(bucket.options),
      store: heir.registry.store,
      newId,
    });
    const registry = { ...heir.registry, objects };
    await expect(objects.checkOwner()).rejects.toThrow('belongs to another database');
    const collect = (): Promise<unknown> =>
      collectObjects(registry, 1, { min_age_ms: 0, dry_run: false }, hooks.signal);
    await expect(collect()).rejects.toThrow('belongs to another database');
    expect(await bucket.list()).toHaveLength(1);
    await adoptObjectStore(registry, await findOwner(registry));
    await objects.checkOwner();
    await expect(former.registry.objects.probe()).rejects.toThrow('belongs to another database');
    const other = Buffer.alloc(300_000, 'other');
    await expect(former.registry.objects.put(1, bytesHash(other), other)).rejects.toThrow(
      'belongs to another database',
    );
    await expect(
      collectObjects(former.registry, 1, { min_age_ms: 0, dry_run: false }, hooks.signal),
    ).rejects.toThrow('belongs to another database');
    expect(await bucket.list()).toHaveLength(1);
    const records = await heir.registry.store.audit.list(1, 0, 100);
    expect(JSON.stringify(records)).toContain('object_store.adopted');
  });

  test('refuses to start on a copy of its database until the copy adopts the bucket', async () => {
    const settings = await openSettings('standard');
    const original = await startRegistry({ settings, keep: true });
    await original.ingest(FILES);
    await original.close();
    const { pathname } = new URL(settings['store.dsn'] ?? '');
    const copied = { ...settings, 'store.dsn': (await copyDatabase(pathname.slice(1))).dsn };
    await expect(startRegistry({ settings: copied })).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining('is a copy'),
      suggested_action: expect.stringContaining('catalog admin adopt-bucket'),
    });
    await useRegistry(copied, async (registry) => {
      const found = await findOwner(registry);
      expect(found).toMatchObject({ decision: 'moved', owner: found.identity });
      expect(await adoptObjectStore(registry, found)).not.toBe(found.identity);
    });
    await startRegistry({ settings: copied });
    await expect(startRegistry({ settings })).rejects.toThrow('belongs to another database');
  });

  test('refuses to start on an empty bucket if it used another one before', async () => {
    const { dsn } = await temporaryDatabase();
    const settings = { 'store.type': 'postgres', 'store.dsn': dsn } as const;
    const { settings: place } = await testBucket();
    await (await startRegistry({ settings: { ...settings, ...place }, keep: true })).close();
    await expect(startOn(dsn, await testBucket())).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining('used before'),
    });
  });

  test('keeps its bucket through a failover, and the old primary loses it', async () => {
    const { dsn, migration_dsn } = await temporaryDatabase();
    const bucket = await testBucket();
    const store = await openPostgresStore({ dsn, pool_size: 2 });
    onTestFinished(() => store.close());
    const changes: OwnerChange[] = [];
    const objects = openS3Objects(bucket.options);
    const onChange = (change: OwnerChange): void => void changes.push(change);
    const guarded = guardObjects({ objects, store, newId, onChange });
    await guarded.checkOwner();
    const before = await objects.getOwner();
    await runSql(
      migration_dsn,
      "UPDATE catalog.store_identity SET origin = 'before the promotion'",
    );
    const fresh = guardObjects({ objects, store, newId });
    await expect(fresh.checkOwner()).rejects.toThrow('promoted while no registry was running');
    await guarded.probe();
    expect(changes).toEqual(['claimed', 'renewed']);
    const after = await objects.getOwner();
    expect(after).not.toBe(before);
    expect(await store.identity.get()).toEqual({
      identity: after,
      object_store_identity: after,
      origin: 'same',
    });
    await fresh.checkOwner();
  });

  test('starts without its object store and writes nothing until the owner is known', async () => {
    const bucket = await testBucket();
    const first = await startOn((await temporaryDatabase()).dsn, bucket);
    await first.ingest(FILES);
    const { dsn } = await temporaryDatabase();
    const server = await startRegistry({
      settings: {
        'store.type': 'postgres',
        'store.dsn': dsn,
        ...bucket.settings,
        'object_store.endpoint': 'http://127.0.0.1:9',
      },
    });
    await expect(server.registry.objects.put(1, bytesHash(MODEL), MODEL)).rejects.toMatchObject({
      code: 'registry.unavailable',
    });
    expect((await server.request('/readyz')).status).toBe(200);
  });
});

describe('registry on a file and a folder', () => {
  test('refuses the object folder of another database until it adopts it', async () => {
    const settings = await openSettings('standalone');
    await (await startRegistry({ settings, keep: true })).close();
    const other = { ...settings, 'store.sqlite_path': join(temporaryFolder(), 'other.db') };
    await expect(startRegistry({ settings: other })).rejects.toThrow('belongs to another database');
    await useRegistry(other, async (registry) => {
      await adoptObjectStore(registry, await findOwner(registry));
    });
    await startRegistry({ settings: other });
    await expect(startRegistry({ settings })).rejects.toThrow('belongs to another database');
  });

  test('refuses an object folder with an unreadable owner', async () => {
    const settings = await openSettings('standalone');
    await (await startRegistry({ settings, keep: true })).close();
    writeFileSync(join(settings['object_store.filesystem_root'], OWNER_FILE), '{"identity":');
    await expect(startRegistry({ settings })).rejects.toThrow('belongs to another database');
  });
});

test.for(['standalone', 'standard'] as const)(
  'a restore into a %s registry copies nothing into the object store of another database',
  async (kind) => {
    const source = await openSettings('standalone');
    const registry = await startRegistry({ settings: source, keep: true });
    await registry.ingest(FILES);
    const folder = join(temporaryFolder(), 'backup');
    await backUp(source, folder, hooks);
    await registry.close();
    const used = await openSettings(kind);
    await startRegistry({ settings: used });
    const empty = await openSettings(kind);
    const target: Settings = {
      ...empty,
      'object_store.prefix': used['object_store.prefix'],
      'object_store.filesystem_root': used['object_store.filesystem_root'],
    };
    await expect(restore(target, folder, hooks)).rejects.toThrow('belongs to another database');
    expect(await restore(empty, folder, hooks)).toMatchObject({ objects: 1 });
    await startRegistry({ settings: empty });
  },
);

async function runSql(dsn: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: dsn });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
