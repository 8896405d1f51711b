import { bytesHash } from '@catalog/core/artifact/content-hash';
import { openMemoryRegistry, type MemoryRegistry } from '@catalog/testkit/memory-registry';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Registry } from '../registry.ts';
import { collectObjects, type CollectedObjects } from './collect-objects.ts';

const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: How to greet a visitor.\n---\nWave.\n';
const MODEL = 'model '.repeat(50_000);
const PACKAGE = { 'ops/greet': { 'ARTIFACT.md': RULE, 'model.txt': MODEL } };
const HOUR = 3_600_000;
const { signal } = new AbortController();

async function open(): Promise<MemoryRegistry> {
  const opened = await openMemoryRegistry();
  onTestFinished(() => opened.close());
  await opened.addLayer('base');
  return opened;
}

function later(registry: Registry, hours: number): Registry {
  return { ...registry, now: () => new Date(Date.UTC(2026, 0, 1) + hours * HOUR) };
}

function collect(registry: Registry, dry_run = false): Promise<CollectedObjects> {
  return collectObjects(registry, 1, { min_age_ms: 24 * HOUR, dry_run }, signal);
}

async function store({ objects }: Registry, text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  await objects.put(1, bytesHash(bytes), bytes);
  return bytesHash(bytes);
}

async function listHashes({ objects }: Registry): Promise<string[]> {
  return (await objects.list(1, { after: '', limit: 10_000 })).map((object) => object.content_hash);
}

test('collectObjects removes old unreferenced objects and keeps recent or referenced ones', async () => {
  const { registry, ingest } = await open();
  await ingest('base', { packages: PACKAGE });
  await store(registry, 'nobody');
  const all = await listHashes(registry);
  expect(all).toHaveLength(2);
  expect(await collect(later(registry, 23))).toMatchObject({ unreferenced: { objects: 0 } });
  const found = await collect(later(registry, 25), true);
  expect(found).toEqual({
    examined: { objects: 2, bytes: MODEL.length + 'nobody'.length },
    unreferenced: { objects: 1, bytes: 'nobody'.length },
  });
  expect(await listHashes(registry)).toEqual(all);
  expect(await collect(later(registry, 25))).toEqual(found);
  expect(await listHashes(registry)).toEqual([bytesHash(MODEL)]);
});

test('collectObjects audits removals, and writes no record if there are none', async () => {
  const { registry } = await open();
  const hash = await store(registry, 'nobody');
  const before = await registry.store.audit.list(1, 0, 100);
  await collect(later(registry, 25), true);
  expect(await registry.store.audit.list(1, 0, 100)).toEqual(before);
  await collect(later(registry, 25));
  await collect(later(registry, 25));
  const after = await registry.store.audit.list(1, 0, 100);
  expect(after.slice(before.length).map(({ record }) => record)).toMatchObject([
    { type: 'objects.collected', objects: [hash], 'caller.identity': 'system:gc' },
  ]);
});

test('collectObjects processes every page', async () => {
  const { registry } = await open();
  for (let number = 0; number < 450; number += 1) await store(registry, `object ${number}`);
  const progress: number[] = [];
  const onProgress = (examined: number): void => void progress.push(examined);
  const options = { min_age_ms: 0, dry_run: false, onProgress };
  const { unreferenced } = await collectObjects(later(registry, 25), 1, options, signal);
  expect(unreferenced.objects).toBe(450);
  expect(progress).toEqual([200, 400, 450]);
  expect(await listHashes(registry)).toEqual([]);
});

test('collectObjects keeps an old object that a concurrent ingest uses before its commit', async () => {
  const { registry, ingest } = await open();
  await store(registry, MODEL);
  let collecting: Promise<CollectedObjects> | undefined;
  const put = registry.objects.put.bind(registry.objects);
  registry.objects.put = async (...given) => {
    await put(...given);
    collecting = collect(later(registry, 25));
    await delay(30);
  };
  await ingest('base', { packages: PACKAGE });
  expect(await collecting).toMatchObject({
    examined: { objects: 1 },
    unreferenced: { objects: 0 },
  });
  expect(await registry.objects.size(1, bytesHash(MODEL))).toBe(MODEL.length);
});

test('removes the objects of a purged layer', async () => {
  const { registry, ingest } = await open();
  await ingest('base', { packages: PACKAGE });
  await registry.store.transaction(async ({ layers }) => {
    const layer = await layers.get(1, 'base');
    await layers.purge(1, layer?.number ?? 0);
  });
  expect((await collect(later(registry, 25))).unreferenced.objects).toBe(1);
});

test('refuses to run during a restore into the registry', async () => {
  const { registry } = await open();
  await store(registry, 'copied');
  await registry.store.transaction(({ archive }) =>
    archive.setPendingRestore({ source: 'copy', done: {} }),
  );
  await expect(collect(later(registry, 25))).rejects.toThrow('copy into this registry');
  expect(await listHashes(registry)).toHaveLength(1);
});

test('collectObjects removes nothing after it releases the lock, even if a removal failed', async () => {
  const { registry } = await open();
  for (let number = 0; number < 50; number += 1) await store(registry, `object ${number}`);
  let removed = 0;
  let removalCalls = 0;
  registry.objects.remove = async () => {
    removalCalls += 1;
    if (removalCalls === 1) throw new Error('the object store refused');
    await delay(5);
    removed += 1;
  };
  await expect(collect(later(registry, 25))).rejects.toThrow('the object store refused');
  const removed_under_lock = removed;
  await delay(50);
  expect(removed).toBe(removed_under_lock);
});
