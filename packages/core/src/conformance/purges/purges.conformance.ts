import { describe, expect, test } from 'vitest';
import type { PurgeRecord } from '../../ports/purges.ts';
import type { Store } from '../../ports/store.ts';
import {
  createLayers,
  openForTest,
  sampleVersion,
  T1,
  T2,
  type OpenStore,
} from '../samples.conformance.ts';

function purgeOf(given: Partial<PurgeRecord> = {}): PurgeRecord {
  return {
    layer_id: 'team',
    id: 'x',
    version: '1.0.0',
    content_hash: 'sha256:x',
    reason: 'A key.',
    purged_by: 'ada',
    purged_at: T1,
    pending_objects: [],
    ...given,
  };
}

function put(store: Store, tenant: number, records: PurgeRecord[]): Promise<void> {
  return store.transaction(({ purges }) => purges.put(tenant, records));
}

export function purgesConformance(open: OpenStore): void {
  describe('purges', () => {
    test('are listed by layer and id, for one tenant', async () => {
      const store = await openForTest(open);
      const other = purgeOf({ id: 'y', purged_at: T2 });
      await put(store, 1, [purgeOf(), purgeOf({ version: '2.0.0' }), other]);
      await put(store, 2, [purgeOf({ layer_id: 'base' })]);
      expect(await store.purges.list(1, 'team', ['x', 'z'])).toEqual([
        purgeOf(),
        purgeOf({ version: '2.0.0' }),
      ]);
      expect(await store.purges.list(1, 'base', ['x'])).toEqual([]);
      expect(await store.purges.listLast(1)).toEqual([{ layer_id: 'team', purged_at: T2 }]);
    });

    test('are pending until their objects are removed', async () => {
      const store = await openForTest(open);
      const pending = purgeOf({ pending_objects: ['sha256:a', 'sha256:b'] });
      await put(store, 1, [pending, purgeOf({ id: 'y' })]);
      expect(await store.purges.listPending(1)).toEqual([pending]);
      await put(store, 1, [purgeOf()]);
      expect(await store.purges.listPending(1)).toEqual([]);
    });
  });

  describe('purged versions', () => {
    test('are deleted with blobs that no other version uses, and stay in the ledger', async () => {
      const store = await openForTest(open);
      const [layer] = await createLayers(store, 1, ['team']);
      const number = layer?.number ?? 0;
      const file = (path: string, content_hash: string) => ({
        path,
        content_hash,
        size: 1,
        executable: false,
      });
      const [own, shared] = [`sha256:${'a'.repeat(64)}`, `sha256:${'b'.repeat(64)}`];
      const files = [file('own', own), file('shared', shared)];
      const leaked = sampleVersion({ id: 'x', layer: number, version: '1.0.0', files });
      const kept = sampleVersion({ id: 'x', layer: number, version: '2.0.0', ingest_order: 2 });
      const holder = sampleVersion({ id: 'y', layer: number, files: [file('copy', shared)] });
      const bytes = new Uint8Array([1]);
      await store.transaction(async ({ versions }) => {
        await versions.putBlobs(1, [
          { content_hash: own, bytes },
          { content_hash: shared, bytes },
        ]);
        await versions.putVersions(1, 'team', [leaked, kept, holder]);
      });
      const revision = await store.layers.revision(1);
      await store.transaction(({ versions }) => versions.purgeVersions(1, number, [leaked]));
      expect(await store.layers.revision(1)).toBeGreaterThan(revision);
      expect(await store.versions.get(1, number, 'x', '1.0.0')).toBeUndefined();
      expect(await store.versions.get(1, number, 'x', '2.0.0')).toEqual(kept);
      expect([...(await store.versions.readBlobs(1, [own, shared])).keys()]).toEqual([shared]);
      expect(await store.versions.listUnreferenced(1, [own, shared])).toEqual([own]);
      const key = { id: 'x', version: '1.0.0' };
      expect((await store.versions.readLedger(1, 'team', [key])).size).toBe(1);
    });

    test('are found through the versions that extend them', async () => {
      const store = await openForTest(open);
      const [layer] = await createLayers(store, 1, ['team']);
      const number = layer?.number ?? 0;
      const parent = { id: 'x', version: '1.0.0', layer: number, ancestors: ['x'] };
      const child = sampleVersion({ id: 'child', layer: number, extends: parent });
      const others = [sampleVersion({ id: 'x', layer: number }), child];
      await store.transaction(({ versions }) => versions.putVersions(1, 'team', others));
      expect(await store.versions.listExtending(1, ['x', 'y'])).toEqual([
        { layer: number, id: 'child', version: child.version, parent },
      ]);
      expect(await store.versions.listExtending(1, ['child'])).toEqual([]);
      expect(await store.versions.listExtending(2, ['x'])).toEqual([]);
    });
  });
}
