import { setTimeout as delay } from 'node:timers/promises';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { temporaryDatabase } from '@catalog/testkit/postgres-database';
import { startRegistry } from '@catalog/testkit/registry-server';
import { openTestBucket } from '@catalog/testkit/s3-bucket';
import { expect, onTestFinished, test } from 'vitest';
import { openS3Objects } from './adapters/objects/s3-objects.ts';
import { openPostgresStore } from './adapters/store/postgres/open-store.ts';
import { collectObjects, type CollectedObjects } from './registry/retention/collect-objects.ts';
import type { Registry } from './registry/registry.ts';

const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: How to greet a visitor.\n---\nWave.\n';
const MODEL = Buffer.alloc(300_000, 'model');
const HOUR_MS = 3_600_000;

test('collectObjects keeps objects that an ingest of another process relies on', async () => {
  const { dsn } = await temporaryDatabase();
  const bucket = await openTestBucket();
  onTestFinished(() => bucket.empty());
  const server = await startRegistry({
    settings: { 'store.type': 'postgres', 'store.dsn': dsn, ...bucket.settings },
  });
  const { registry } = server;
  const store = await openPostgresStore({ dsn, pool_size: 2 });
  onTestFinished(() => store.close());
  const other: Registry = {
    ...registry,
    store,
    objects: openS3Objects(bucket.options),
    now: () => new Date(registry.now().getTime() + 25 * HOUR_MS),
  };
  const left = Buffer.alloc(300_000, 'left');
  for (const bytes of [MODEL, left]) await other.objects.put(1, bytesHash(bytes), bytes);
  let collecting: Promise<CollectedObjects> | undefined;
  const put = registry.objects.put.bind(registry.objects);
  registry.objects.put = async (...given) => {
    await put(...given);
    const options = { min_age_ms: 24 * HOUR_MS, dry_run: false };
    collecting = collectObjects(other, 1, options, new AbortController().signal);
    await delay(100);
  };
  await server.ingest({ 'ops/greet/ARTIFACT.md': RULE, 'ops/greet/model.bin': MODEL });
  expect(await collecting).toMatchObject({
    examined: { objects: 2 },
    unreferenced: { objects: 1 },
  });
  expect((await bucket.list()).map(({ key }) => key)).toEqual([
    expect.stringContaining(bytesHash(MODEL).slice('sha256:'.length)),
  ]);
});
