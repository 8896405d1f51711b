import { openMemoryRegistry, type MemoryRegistry } from '@catalog/testkit/memory-registry';
import { expect, onTestFinished, test } from 'vitest';
import { buildEvent } from '../events/build-event.ts';
import { restoreLayer } from '../layers/restore-layer.ts';
import type { Registry } from '../registry.ts';
import { sweepTenant } from './sweep-tenant.ts';

const { signal } = new AbortController();
const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: How to greet a visitor.\n---\nWave.\n';

function daysLater(registry: Registry, days: number): Registry {
  return { ...registry, now: () => new Date(Date.UTC(2026, 0, 1 + days)) };
}

async function openWithDeleted(days: number): Promise<MemoryRegistry> {
  const open = await openMemoryRegistry({ layer_recovery_days: days });
  onTestFinished(() => open.close());
  await open.addLayer('kept');
  await open.addLayer('gone');
  await open.ingest('gone', { packages: { 'ops/greet': { 'ARTIFACT.md': RULE } } });
  await open.registry.store.transaction(async (writes) => {
    const layer = await writes.layers.get(1, 'gone');
    if (layer === undefined) throw new Error('no layer');
    await writes.layers.replace(1, { ...layer, deleted_at: '2026-01-01T00:00:00.000Z' });
  });
  return open;
}

test('sweepTenant purges a layer when its recovery window ends', async () => {
  const { registry } = await openWithDeleted(30);
  const { store } = registry;
  await sweepTenant(daysLater(registry, 29), 1, signal);
  expect(await store.layers.listDeleted(1)).toHaveLength(1);
  await sweepTenant(daysLater(registry, 30), 1, signal);
  expect(await store.layers.get(1, 'gone')).toBeUndefined();
  expect(await store.layers.get(1, 'kept')).toBeDefined();
  const records = await store.audit.list(1, 0, 100);
  expect(records.at(-1)?.record).toMatchObject({
    type: 'layer.purged',
    layer: 'gone',
    'caller.identity': 'system:retention',
  });
});

test('purges a layer whose id passed to another owner, and keeps the new layer', async () => {
  const { registry } = await openWithDeleted(30);
  const { store } = registry;
  const former = await store.layers.get(1, 'gone');
  if (former === undefined) throw new Error('no layer');
  await store.transaction(async ({ layers }) => {
    await layers.setAside(1, former, '2026-01-09T00:00:00.000Z');
    await layers.create(1, { ...former, user_defined: true, owner: 'ann', deleted_at: null });
  });
  await sweepTenant(daysLater(registry, 31), 1, signal);
  expect(await store.layers.listDeleted(1)).toEqual([]);
  expect(await store.versions.get(1, former.number, 'ops/greet', '1.0.0')).toBeUndefined();
  expect(await store.layers.get(1, 'gone')).toMatchObject({ owner: 'ann', deleted_at: null });
});

test('sweepTenant reports a layer that cannot be purged, and purges the others', async () => {
  const { registry } = await openWithDeleted(30);
  const { store } = registry;
  const deletedLayer = await store.layers.get(1, 'gone');
  if (deletedLayer === undefined) throw new Error('no layer');
  await store.transaction(async ({ layers }) => {
    await layers.create(1, { ...deletedLayer, id: 'gone-too' });
  });
  const failing: Registry['store'] = {
    ...store,
    transaction: (work) =>
      store.transaction((writes) => {
        const purge: typeof writes.layers.purge = async (tenant, number) => {
          if (number === deletedLayer.number) throw new Error('the statement took too long');
          return writes.layers.purge(tenant, number);
        };
        return work({ ...writes, layers: { ...writes.layers, purge } });
      }),
  };
  const late = { ...daysLater(registry, 31), store: failing };
  await expect(sweepTenant(late, 1, signal)).rejects.toThrow('the statement took too long');
  const left = await store.layers.listDeleted(1);
  expect(left.map(({ id }) => id)).toEqual(['gone']);
});

test('keeps the ledger of a purged layer', async () => {
  const { registry } = await openWithDeleted(30);
  await sweepTenant(daysLater(registry, 31), 1, signal);
  const ledger = await registry.store.versions.readLedger(1, 'gone', [
    { id: 'ops/greet', version: '1.0.0' },
  ]);
  expect(ledger.size).toBe(1);
});

test('layer_recovery_days 0 keeps deleted layers forever', async () => {
  const { registry } = await openWithDeleted(0);
  await sweepTenant(daysLater(registry, 10_000), 1, signal);
  expect(await registry.store.layers.listDeleted(1)).toHaveLength(1);
});

test('keeps a layer that was restored in the meantime', async () => {
  const { registry, context } = await openWithDeleted(30);
  const { store } = registry;
  const late = daysLater(registry, 40);
  const listDeleted = async () => {
    const listed = await store.layers.listDeleted(1);
    await restoreLayer(daysLater(registry, 20), context, { id: 'gone' });
    return listed;
  };
  await sweepTenant(
    { ...late, store: { ...store, layers: { ...store.layers, listDeleted } } },
    1,
    signal,
  );
  expect(await store.layers.get(1, 'gone')).toMatchObject({ deleted_at: null });
});

test('removes events after a week', async () => {
  const open = await openMemoryRegistry();
  onTestFinished(() => open.close());
  const { registry } = open;
  const emitOnDay = (day: number) =>
    registry.store.transaction((writes) =>
      writes.outbox.append(1, [
        buildEvent(
          {
            trace_id: 't',
            caller: { kind: 'open' },
            now: new Date(Date.UTC(2026, 0, 1 + day)),
            public_mode: false,
          },
          'layer.config_changed',
          { layer: 'x', action: 'update' },
        ),
      ]),
    );
  for (const day of [0, 1, 2]) await emitOnDay(day);
  await sweepTenant(daysLater(registry, 8), 1, signal);
  expect(await registry.store.outbox.bounds(1)).toEqual({ oldest: 2, newest: 3 });
});

test('keeps the newest 100 ingests of a layer', async () => {
  const open = await openMemoryRegistry();
  onTestFinished(() => open.close());
  await open.addLayer('base');
  for (let count = 0; count < 103; count += 1) await open.ingest('base', {});
  await sweepTenant(open.registry, 1, signal);
  expect(await open.registry.store.jobs.list(1, 'base', 1000)).toHaveLength(100);
});
