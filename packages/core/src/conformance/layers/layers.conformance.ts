import { describe, expect, test } from 'vitest';
import { replacedLayerId } from '../../layer/layer-holder.ts';
import type { LayerRecord } from '../../ports/layers.ts';
import {
  createLayers,
  openForTest,
  newHead,
  sampleLayer,
  sampleRequest,
  sampleVersion,
  T1,
  T2,
  type OpenStore,
} from '../samples.conformance.ts';

export function layersConformance(open: OpenStore): void {
  describe('layers', () => {
    test('are read as they were created', async () => {
      const store = await openForTest(open);
      const layer = sampleLayer('team', {
        order: 30,
        user_defined: true,
        public: true,
        groups: ['a', 'b'],
        users: [],
        source_type: 'git',
        repo: 'https://git.example/x.git',
        ref: 'main',
        root: 'artifacts',
        force_push_policy: 'strict',
        source_state: '{"tree":"ü"}',
      });
      const created = await store.transaction(({ layers }) => layers.create(1, layer));
      expect(created).toEqual({ ...layer, number: created.number, revision: created.revision });
      expect(await store.layers.get(1, 'team')).toEqual(created);
      expect(await store.layers.list(1)).toEqual([created]);
      expect(await store.layers.get(2, 'team')).toBeUndefined();
    });

    test('have unique numbers within a tenant', async () => {
      const store = await openForTest(open);
      const created = await createLayers(store, 1, ['a', 'b', 'c']);
      expect(new Set(created.map(({ number }) => number)).size).toBe(3);
      const [otherTenant] = await createLayers(store, 2, ['a']);
      expect(await store.layers.get(2, 'a')).toEqual(otherTenant);
    });

    test('are rejected if the id exists', async () => {
      const store = await openForTest(open);
      await createLayers(store, 1, ['a']);
      await expect(createLayers(store, 1, ['a'])).rejects.toThrow();
    });

    test('are listed separately after a soft delete', async () => {
      const store = await openForTest(open);
      const [layer] = await createLayers(store, 1, ['a', 'b']);
      await replace(store, { ...asLayer(layer), deleted_at: T2 });
      expect((await store.layers.list(1)).map(({ id }) => id)).toEqual(['b']);
      expect((await store.layers.listDeleted(1)).map(({ id }) => id)).toEqual(['a']);
      expect(await store.layers.get(1, 'a')).toMatchObject({ deleted_at: T2 });
    });

    test('are found by their webhook key without a tenant', async () => {
      const store = await openForTest(open);
      await createLayers(store, 7, ['a', 'b']);
      const found = await store.layers.findByWebhookKey('key of 7 b');
      expect(found).toMatchObject({ tenant: 7, layer: { id: 'b' } });
      expect(await store.layers.findByWebhookKey('key of 7')).toBeUndefined();
      await store.transaction(async ({ layers }) => {
        await layers.create(7, sampleLayer('local one', { webhook_key: '' }));
        await layers.create(7, sampleLayer('local two', { webhook_key: '' }));
      });
      expect(await store.layers.findByWebhookKey('')).toBeUndefined();
    });

    test('keep their number and their revision if replaced', async () => {
      const store = await openForTest(open);
      const [layer] = await createLayers(store, 1, ['a']);
      await store.transaction(({ layers }) => layers.touch(1, asLayer(layer).number));
      const touched = asLayer(await store.layers.get(1, 'a'));
      await replace(store, { ...asLayer(layer), owner: 'ada' });
      expect(await store.layers.get(1, 'a')).toEqual({ ...touched, owner: 'ada' });
    });

    test('record an ingest without raising a revision', async () => {
      const store = await openForTest(open);
      const [layer, other] = await createLayers(store, 1, ['a', 'b']);
      const [otherTenant] = await createLayers(store, 2, ['a']);
      const revision = await store.layers.revision(1);
      for (const mark of [
        { last_ingested_at: T2, last_ingested_ref: 'c0ffee', source_state: '{"tree":"ü"}' },
        { last_ingested_at: T1, last_ingested_ref: null, source_state: null },
      ]) {
        await store.transaction(({ layers }) => layers.noteIngest(1, asLayer(layer).number, mark));
        expect(await store.layers.get(1, 'a')).toEqual({ ...layer, ...mark });
        expect(await store.layers.revision(1)).toBe(revision);
      }
      expect(await store.layers.get(1, 'b')).toEqual(other);
      expect(await store.layers.get(2, 'a')).toEqual(otherTenant);
    });

    test('raise their revision with every change of their served content', async () => {
      const store = await openForTest(open);
      const [layer, other] = await createLayers(store, 1, ['a', 'b']);
      const { number } = asLayer(layer);
      const changes: ((
        writes: Parameters<Parameters<typeof store.transaction>[0]>[0],
      ) => Promise<void>)[] = [
        ({ layers }) => layers.touch(1, number),
        ({ versions }) => versions.putHeads(1, number, [newHead({ id: 'x' })]),
        ({ versions }) => versions.removeHeads(1, number, ['x']),
        ({ versions }) => versions.putVersions(1, 'a', [sampleVersion({ id: 'x', layer: number })]),
      ];
      for (const change of changes) {
        const before = asLayer(await store.layers.get(1, 'a')).revision;
        const whole = await store.layers.revision(1);
        await store.transaction(change);
        expect(asLayer(await store.layers.get(1, 'a')).revision).toBeGreaterThan(before);
        expect(await store.layers.revision(1)).toBeGreaterThan(whole);
      }
      expect(await store.layers.get(1, 'b')).toEqual(other);
    });

    test('raise the revision of their own tenant only', async () => {
      const store = await openForTest(open);
      await createLayers(store, 2, ['z']);
      const otherTenant = await store.layers.revision(2);
      let last = await store.layers.revision(1);
      const [layer] = await createLayers(store, 1, ['a']);
      const { number } = asLayer(layer);
      const rejection = { artifact_id: 'x', code: 'c', reason: 'r', awaits: [] };
      const changes: (() => Promise<unknown>)[] = [
        async () => {},
        () => replace(store, { ...asLayer(layer), order: 20 }),
        () => store.transaction(({ versions }) => versions.putRejections(1, number, [rejection])),
        () => store.transaction(({ versions }) => versions.removeRejections(1, number, ['x'])),
        () => store.transaction(({ layers }) => layers.purge(1, number)),
      ];
      for (const change of changes) {
        await change();
        const now = await store.layers.revision(1);
        expect(now).toBeGreaterThan(last);
        last = now;
      }
      await store.transaction(({ versions }) => versions.takeIngestOrders(1, 1));
      expect(await store.layers.revision(1)).toBe(last);
      expect(await store.layers.revision(2)).toBe(otherTenant);
    });

    test('a transaction reads the revision that its commit stores', async () => {
      const store = await openForTest(open);
      const [layer] = await createLayers(store, 1, ['a']);
      const readInside = (order: number): Promise<number[]> =>
        store.transaction(async ({ layers }) => {
          await layers.replace(1, { ...asLayer(layer), order });
          return [await layers.revision(1), await layers.revision(1)];
        });
      const inside = await readInside(20);
      const committed = await store.layers.revision(1);
      expect(inside).toEqual([committed, committed]);
      const unchanged = await store.transaction(({ layers }) => layers.revision(1));
      expect(unchanged).toBe(committed);
      expect(await store.layers.revision(1)).toBe(committed);
    });
  });
  purgeConformance(open);
  holderConformance(open);
}

function holderConformance(open: OpenStore): void {
  const ANN = { user_defined: true, owner: 'ann' };
  const key = { id: 'x', version: '1.0.0' };

  async function createAnnsLayer(store: Awaited<ReturnType<OpenStore>>): Promise<LayerRecord> {
    return store.transaction(async ({ layers, versions }) => {
      const annsLayer = await layers.create(1, sampleLayer('a', ANN));
      await versions.putVersions(1, 'a', [sampleVersion({ ...key, layer: annsLayer.number })]);
      await versions.putHeads(1, annsLayer.number, [newHead({ id: 'x', layer: annsLayer.number })]);
      return asLayer(await layers.get(1, 'a'));
    });
  }

  describe('layers whose id passes to another owner', () => {
    test('are set aside with all their content', async () => {
      const store = await openForTest(open);
      const annsLayer = await createAnnsLayer(store);
      await store.transaction(({ layers }) => layers.setAside(1, annsLayer, T2));
      expect(await store.layers.get(1, 'a')).toBeUndefined();
      expect(await store.layers.list(1)).toEqual([]);
      expect(await store.layers.findByWebhookKey(annsLayer.webhook_key)).toBeUndefined();
      const id = replacedLayerId(annsLayer);
      const [aside] = await store.layers.listDeleted(1);
      expect(aside).toMatchObject({ ...ANN, id, number: annsLayer.number, deleted_at: T2 });
      expect((await store.versions.readLedger(1, id, [key])).size).toBe(1);
      const { artifact_count } = await store.tenants.usage(1, T2);
      expect(artifact_count).toBe(0);
    });

    test('pass neither their number nor their ledger to a new layer with the id', async () => {
      const store = await openForTest(open);
      const annsLayer = await createAnnsLayer(store);
      const newLayer = await store.transaction(async ({ layers }) => {
        await layers.setAside(1, annsLayer, T2);
        return layers.create(1, sampleLayer('a'));
      });
      expect(newLayer.number).not.toBe(annsLayer.number);
      expect((await store.versions.readLedger(1, 'a', [key])).size).toBe(0);
      expect(await store.versions.get(1, newLayer.number, 'x', '1.0.0')).toBeUndefined();
      const other = sampleVersion({
        ...key,
        layer: newLayer.number,
        authored_hash: 'sha256:other',
      });
      await store.transaction(({ versions }) => versions.putVersions(1, 'a', [other]));
      await store.transaction(({ layers }) => layers.purge(1, annsLayer.number));
      expect(await store.layers.listDeleted(1)).toEqual([]);
      expect(await store.versions.get(1, newLayer.number, 'x', '1.0.0')).toBeDefined();
    });

    test('keep their deletion time, and can be set aside more than once', async () => {
      const store = await openForTest(open);
      const annsLayer = { ...(await createAnnsLayer(store)), deleted_at: T1 };
      await store.transaction(({ layers }) => layers.setAside(1, annsLayer, T2));
      const again = await createAnnsLayer(store);
      await store.transaction(({ layers }) => layers.setAside(1, again, T2));
      const aside = await store.layers.listDeleted(1);
      expect(new Set(aside.map(({ deleted_at }) => deleted_at))).toEqual(new Set([T1, T2]));
      expect(new Set(aside.map(({ id }) => id)).size).toBe(2);
    });

    test('do not restrict another owner after they are purged', async () => {
      const store = await openForTest(open);
      const annsLayer = await createAnnsLayer(store);
      await store.transaction(({ layers }) => layers.purge(1, annsLayer.number));
      const newLayer = await store.transaction(({ layers }) => layers.create(1, sampleLayer('a')));
      expect(newLayer.number).not.toBe(annsLayer.number);
      expect((await store.versions.readLedger(1, 'a', [key])).size).toBe(0);
      await store.transaction(({ layers }) => layers.purge(1, newLayer.number));
      const back = await store.transaction(({ layers }) => layers.create(1, sampleLayer('a')));
      expect(back.number).toBe(newLayer.number);
    });
  });
}

function purgeConformance(open: OpenStore): void {
  describe('purged layers', () => {
    const file = { path: 'a.txt', content_hash: 'sha256:only', size: 1, executable: false };
    const shared = { ...file, path: 'b.txt', content_hash: 'sha256:shared' };

    async function fill(store: Awaited<ReturnType<OpenStore>>): Promise<LayerRecord[]> {
      const created = await createLayers(store, 1, ['a', 'b']);
      await store.transaction(async ({ versions, jobs, deliveries }) => {
        await versions.putBlobs(1, [
          { content_hash: 'sha256:only', bytes: new Uint8Array([1]) },
          { content_hash: 'sha256:shared', bytes: new Uint8Array([2]) },
        ]);
        for (const { id, number } of created) {
          const files = id === 'a' ? [file, shared] : [shared];
          const ids = Array.from({ length: 450 }, (_, index) => `x/${index}`);
          await versions.putVersions(
            1,
            id,
            ids.map((artifact) => sampleVersion({ id: artifact, layer: number, files })),
          );
          await versions.putHeads(
            1,
            number,
            ids.map((artifact) => newHead({ id: artifact, layer: number })),
          );
          await versions.putRejections(1, number, [
            { artifact_id: 'bad', code: 'c', reason: 'r', awaits: ['y'] },
          ]);
          await jobs.enqueue(1, {
            job: `job of ${id}`,
            layer_id: id,
            request: sampleRequest(),
            now: T1,
          });
          await deliveries.record(1, number, { delivery_id: 'd', job: `job of ${id}`, now: T1 });
        }
      });
      return created;
    }

    test('lose all their content, but no content of other layers', async () => {
      const store = await openForTest(open);
      const [a, b] = (await fill(store)).map(({ number }) => number);
      if (a === undefined || b === undefined) throw new Error('no layers');
      await store.transaction(({ layers }) => layers.purge(1, a));
      expect(await store.layers.get(1, 'a')).toBeUndefined();
      expect(await store.versions.listHeadIds(1, a, '', 10)).toEqual([]);
      expect(await store.versions.get(1, a, 'x/1', '1.0.0')).toBeUndefined();
      expect(await store.versions.get(1, b, 'x/1', '1.0.0')).toBeDefined();
      expect(await store.versions.countView(1, [a, b])).toMatchObject({ artifact_count: 450 });
      expect(await store.versions.countView(1, [a])).toMatchObject({ artifact_count: 0 });
      expect(await store.versions.listRejections(1, [a, b])).toMatchObject([{ layer: b }]);
      expect(await store.versions.listWaiting(1, ['y'])).toEqual([
        { layer: b, artifact_id: 'bad' },
      ]);
      expect(
        await store.versions.listHoldersOf(1, [1, 2, 3, 4, 5, 6, 7, 8, 9], 'sha256:only', 9),
      ).toEqual([]);
      const blobs = await store.versions.readBlobs(1, ['sha256:only', 'sha256:shared']);
      expect([...blobs.keys()]).toEqual(['sha256:shared']);
      expect(await store.jobs.get(1, 'job of a')).toBeUndefined();
      expect(await store.jobs.get(1, 'job of b')).toBeDefined();
      await store.transaction(async ({ deliveries }) => {
        const again = { delivery_id: 'd', job: 'new', now: T2 };
        expect(await deliveries.record(1, b, again)).toBe('job of b');
        expect(await deliveries.record(1, a, again)).toBeUndefined();
      });
    });

    test('keep their ledger and number, and never reuse a revision', async () => {
      const store = await openForTest(open);
      const [a] = await fill(store);
      const { number, revision } = asLayer(await store.layers.get(1, 'a'));
      await store.transaction(({ layers }) => layers.purge(1, number));
      const key = { id: 'x/1', version: '1.0.0' };
      expect((await store.versions.readLedger(1, 'a', [key])).size).toBe(1);
      const again = await store.transaction(({ layers }) => layers.create(1, sampleLayer('a')));
      expect(again.number).toBe(asLayer(a).number);
      expect(again.revision).toBeGreaterThan(revision);
    });
  });
}

function asLayer(layer: LayerRecord | undefined): LayerRecord {
  if (layer === undefined) throw new Error('There is no such layer.');
  return layer;
}

function replace(store: Awaited<ReturnType<OpenStore>>, layer: LayerRecord): Promise<void> {
  return store.transaction(({ layers }) => layers.replace(1, layer));
}
