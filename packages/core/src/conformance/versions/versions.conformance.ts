import { describe, expect, test } from 'vitest';
import { INLINE_CUTOFF_BYTES } from '@catalog/contract/limits';
import { bytesHash } from '../../artifact/content-hash.ts';
import type { Store } from '../../ports/store.ts';
import {
  createLayers,
  openForTest,
  sampleVersion,
  T2,
  type OpenStore,
} from '../samples.conformance.ts';
import { headsConformance } from './heads.conformance.ts';
import { viewConformance } from './view.conformance.ts';

export function versionsConformance(open: OpenStore): void {
  storedVersionsConformance(open);
  headsConformance(open);
  viewConformance(open);
}

function storedVersionsConformance(open: OpenStore): void {
  describe('versions', () => {
    async function openWithLayer(): Promise<{ store: Store; layer: number }> {
      const store = await openForTest(open);
      const [created] = await createLayers(store, 1, ['team']);
      return { store, layer: created?.number ?? 0 };
    }

    test('are read as they were stored', async () => {
      const { store, layer } = await openWithLayer();
      const rich = sampleVersion({
        id: 'ops/ümläut-🚀',
        layer,
        version: '2.1.0-rc.1+build',
        when_to_use: ['when "quoted"', ''],
        tags: ['a', 'b'],
        sensitivity: 'high',
        search_visibility: 'direct-only',
        deprecated: true,
        replaced_by: 'ops/other',
        manifest: 'manifest\r\n\u0000end',
        skill: '# Skill 🚀\n',
        files: [
          { path: 'run.sh', content_hash: 'sha256:1', size: 3, executable: true },
          { path: 'x/ü.txt', content_hash: 'sha256:2', size: 0, executable: false },
        ],
        extends: { id: 'ops/base', version: '1.0.0', layer, ancestors: ['ops/base', 'ops/root'] },
        refusal: 'Not like this.',
        source_commit: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
      });
      const bare = sampleVersion({ id: 'ops/bare', layer, manifest: null, frontmatter: null });
      await store.transaction(({ versions }) => versions.putVersions(1, 'team', [rich, bare]));
      expect(await store.versions.get(1, layer, rich.id, rich.version)).toEqual(rich);
      expect(await store.versions.get(1, layer, bare.id, bare.version)).toEqual(bare);
      expect(await store.versions.get(2, layer, bare.id, bare.version)).toBeUndefined();
      expect(await store.versions.get(1, layer + 1, bare.id, bare.version)).toBeUndefined();
      expect(await store.versions.get(1, layer, bare.id, '1.0')).toBeUndefined();
    });

    test('are immutable', async () => {
      const { store, layer } = await openWithLayer();
      const first = sampleVersion({ id: 'x', layer });
      const second = { ...first, description: 'Other.', authored_hash: bytesHash('other') };
      await store.transaction(({ versions }) => versions.putVersions(1, 'team', [first]));
      await store.transaction(({ versions }) => versions.putVersions(1, 'team', [first]));
      await expect(
        store.transaction(({ versions }) => versions.putVersions(1, 'team', [second])),
      ).rejects.toMatchObject({ code: 'registry.unavailable', retryable: true });
      expect(await store.versions.get(1, layer, 'x', '1.0.0')).toEqual(first);
      const ledger = await store.versions.readLedger(1, 'team', [first]);
      expect(ledger.get('x@1.0.0')).toBe(first.authored_hash);
    });

    test('are listed in the order of their ingest', async () => {
      const { store, layer } = await openWithLayer();
      const taken = ['2.0.0', '1.0.0', '1.5.0'].map((version, index) =>
        sampleVersion({
          id: 'x',
          layer,
          version,
          ingest_order: 10 + index,
          ingested_at: T2,
          deprecated: version === '1.0.0',
        }),
      );
      await store.transaction(({ versions }) =>
        versions.putVersions(
          1,
          'team',
          [...taken, sampleVersion({ id: 'x/y', layer })].toReversed(),
        ),
      );
      expect(await store.versions.listVersions(1, layer, 'x')).toEqual(
        taken.map(({ version, content_hash, deprecated, ingest_order, ingested_at }) => ({
          version,
          content_hash,
          deprecated,
          ingest_order,
          stored_order: ingest_order,
          ingested_at,
          rolled_back: false,
        })),
      );
      expect(await store.versions.listVersions(1, layer, 'y')).toEqual([]);
      expect(await store.versions.countVersions(1, layer)).toBe(taken.length + 1);
      expect(await store.versions.countVersions(2, layer)).toBe(0);
    });

    test('are listed by their state after a rollback, and stay as they were stored', async () => {
      const { store, layer } = await openWithLayer();
      const [first, second] = ['1.0.0', '2.0.0'].map((version, index) =>
        sampleVersion({ id: 'x', layer, version, ingest_order: index + 1 }),
      );
      if (first === undefined || second === undefined) throw new Error('no versions');
      await store.transaction(({ versions }) => versions.putVersions(1, 'team', [first, second]));
      const standing = (): Promise<unknown[]> =>
        store.versions
          .listVersions(1, layer, 'x')
          .then((list) =>
            list.map(({ version, ingest_order, stored_order, rolled_back }) => [
              version,
              ingest_order,
              stored_order,
              rolled_back,
            ]),
          );
      const revision = await store.layers.revision(1);
      await store.transaction(({ versions }) =>
        versions.putStandings(1, layer, [
          { id: 'x', version: '1.0.0', ingest_order: 3, rolled_back: false },
          { id: 'x', version: '2.0.0', ingest_order: 2, rolled_back: true },
        ]),
      );
      expect(await standing()).toEqual([
        ['2.0.0', 2, 2, true],
        ['1.0.0', 3, 1, false],
      ]);
      expect(await store.layers.revision(1)).toBeGreaterThan(revision);
      expect(await store.versions.get(1, layer, 'x', '1.0.0')).toEqual(first);
      await store.transaction(({ versions }) =>
        versions.putStandings(1, layer, [
          { id: 'x', version: '2.0.0', ingest_order: 4, rolled_back: false },
        ]),
      );
      expect(await standing()).toEqual([
        ['1.0.0', 3, 1, false],
        ['2.0.0', 4, 2, false],
      ]);
      await store.transaction(({ layers }) => layers.purge(1, layer));
      await store.transaction(({ versions }) => versions.putVersions(1, 'team', [first, second]));
      expect(await standing()).toEqual([
        ['1.0.0', 1, 1, false],
        ['2.0.0', 2, 2, false],
      ]);
    });

    test('return the git commit of their first read, if there was one', async () => {
      const { store, layer } = await openWithLayer();
      const versions = [
        sampleVersion({ id: 'x', layer, version: '1.0.0', source_commit: 'aaa' }),
        sampleVersion({ id: 'x', layer, version: '1.1.0' }),
        sampleVersion({ id: 'x', layer, version: '1.2.0', source_commit: 'bbb' }),
        sampleVersion({ id: 'y', layer, source_commit: 'ccc' }),
      ];
      await store.transaction((writes) => writes.versions.putVersions(1, 'team', versions));
      expect(await store.versions.listCommits(1, layer, 'x')).toEqual(
        new Map([
          ['1.0.0', 'aaa'],
          ['1.2.0', 'bbb'],
        ]),
      );
      expect(await store.versions.listCommits(2, layer, 'x')).toEqual(new Map());
      expect(await store.versions.listCommits(1, layer + 1, 'x')).toEqual(new Map());
    });

    test('are numbered without a gap per tenant', async () => {
      const { store } = await openWithLayer();
      const take = (tenant: number, count: number): Promise<number> =>
        store.transaction(({ versions }) => versions.takeIngestOrders(tenant, count));
      const first = await take(1, 3);
      expect(await take(1, 1)).toBe(first + 3);
      expect(await take(1, 1)).toBe(first + 4);
      expect(await take(2, 1)).toBe(first);
      const failed = store.transaction(async ({ versions }) => {
        await versions.takeIngestOrders(1, 5);
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      expect(await take(1, 1)).toBe(first + 5);
    });

    test('leave a ledger by layer id, without build metadata (SPEC-51)', async () => {
      const { store, layer } = await openWithLayer();
      const taken = sampleVersion({ id: 'x', layer, version: '1.0.0+linux' });
      const dev = sampleVersion({ id: 'x', layer, version: '1.0.0+dev.1' });
      await store.transaction(({ versions }) => versions.putVersions(1, 'team', [taken, dev]));
      const keys = ['1.0.0', '1.0.0+dev.1', '1.0.1'].map((version) => ({ id: 'x', version }));
      expect(await store.versions.readLedger(1, 'team', keys)).toEqual(
        new Map([
          ['x@1.0.0', taken.authored_hash],
          ['x@1.0.0+dev.1', dev.authored_hash],
        ]),
      );
      expect(await store.versions.readLedger(1, 'other', keys)).toEqual(new Map());
      expect(await store.versions.readLedger(2, 'team', keys)).toEqual(new Map());
    });

    test('can be stored by the thousand', async () => {
      const { store, layer } = await openWithLayer();
      const records = Array.from({ length: 1_000 }, (_, index) =>
        sampleVersion({ id: `many/${index}`, layer, ingest_order: index }),
      );
      await store.transaction(({ versions }) => versions.putVersions(1, 'team', records));
      const ledger = await store.versions.readLedger(1, 'team', records);
      expect(ledger.size).toBe(1_000);
    });
  });

  describe('blobs', () => {
    test('are read completely by their hash', async () => {
      const store = await openForTest(open);
      const every = Uint8Array.from({ length: 256 }, (_, byte) => byte);
      const blobs = [every, new Uint8Array(), new Uint8Array(INLINE_CUTOFF_BYTES).fill(7)].map(
        (bytes) => ({ content_hash: bytesHash(bytes), bytes }),
      );
      await store.transaction(async ({ versions }) => {
        await versions.putBlobs(1, blobs);
        await versions.putBlobs(1, blobs.slice(0, 1));
      });
      const hashes = [...blobs.map(({ content_hash }) => content_hash), bytesHash('nobody')];
      const read = await store.versions.readBlobs(1, hashes);
      expect(read.size).toBe(3);
      for (const { content_hash, bytes } of blobs) {
        expect(Buffer.compare(read.get(content_hash) ?? Buffer.from('none'), bytes)).toBe(0);
      }
      expect((await store.versions.readBlobs(2, hashes)).size).toBe(0);
    });

    test('are listed with the versions that contain them', async () => {
      const store = await openForTest(open);
      const [low, high] = (await createLayers(store, 1, ['low', 'high'])).map(
        ({ number }) => number,
      );
      if (low === undefined || high === undefined) throw new Error('no layers');
      const body = 'x'.repeat(INLINE_CUTOFF_BYTES + 1);
      const large = {
        path: 'a.bin',
        content_hash: bytesHash('large'),
        size: 9e6,
        executable: false,
      };
      await store.transaction(async ({ versions }) => {
        await versions.putVersions(1, 'low', [
          sampleVersion({ id: 'a', layer: low, files: [large, { ...large, path: 'b.bin' }] }),
          sampleVersion({ id: 'b', layer: low, manifest: body }),
          sampleVersion({ id: 'c', layer: low }),
        ]);
        await versions.putVersions(1, 'high', [
          sampleVersion({ id: 'a', layer: high, version: '2.0.0', files: [large] }),
          sampleVersion({ id: 's', layer: high, skill: body }),
        ]);
      });
      expect(await store.versions.listHoldersOf(1, [low, high], large.content_hash, 10)).toEqual([
        { layer: low, id: 'a', version: '1.0.0' },
        { layer: high, id: 'a', version: '2.0.0' },
      ]);
      expect(await store.versions.listHoldersOf(1, [high], large.content_hash, 10)).toEqual([
        { layer: high, id: 'a', version: '2.0.0' },
      ]);
      expect(
        await store.versions.listHoldersOf(1, [low, high], large.content_hash, 1),
      ).toHaveLength(1);
      expect(await store.versions.listHoldersOf(1, [low, high], bytesHash(body), 10)).toEqual([
        { layer: low, id: 'b', version: '1.0.0' },
        { layer: high, id: 's', version: '1.0.0' },
      ]);
      expect(await store.versions.listHoldersOf(2, [low, high], large.content_hash, 10)).toEqual(
        [],
      );
    });

    test('are orphans if no version contains them', async () => {
      const store = await openForTest(open);
      const [layer = 0] = (await createLayers(store, 1, ['a'])).map(({ number }) => number);
      const large = { path: 'm', content_hash: bytesHash('m'), size: 300_000, executable: false };
      const body = 'x'.repeat(300_000);
      await store.transaction(({ versions }) =>
        versions.putVersions(1, 'a', [
          sampleVersion({ id: 'a', layer, files: [large] }),
          sampleVersion({ id: 's', layer, skill: body }),
        ]),
      );
      const unreferenced = [bytesHash('z'), bytesHash('y')];
      const hashes = [
        unreferenced[0] ?? '',
        large.content_hash,
        unreferenced[1] ?? '',
        bytesHash(body),
      ];
      expect(await store.versions.listUnreferenced(1, hashes)).toEqual(unreferenced);
      expect(await store.versions.listUnreferenced(2, hashes)).toEqual(hashes);
      expect(await store.versions.listUnreferenced(1, [])).toEqual([]);
      await store.transaction(({ layers }) => layers.purge(1, layer));
      expect(await store.versions.listUnreferenced(1, hashes)).toEqual(hashes);
    });
  });

  describe('rejections', () => {
    test('are stored until they are removed', async () => {
      const store = await openForTest(open);
      const [a, b] = (await createLayers(store, 1, ['a', 'b'])).map(({ number }) => number);
      if (a === undefined || b === undefined) throw new Error('no layers');
      const child = {
        artifact_id: 'x',
        type: 'rule',
        code: 'ingest.invalid_artifact',
        reason: 'no parent',
        awaits: ['p', 'q', 'p'],
      };
      const other = { artifact_id: 'y', code: 'ingest.lint_failed', reason: 'bad', awaits: [] };
      await store.transaction(async ({ versions }) => {
        await versions.putRejections(1, a, [child, other]);
        await versions.putRejections(1, b, [child]);
      });
      expect(await store.versions.listRejections(1, [b])).toEqual([{ ...child, layer: b }]);
      expect(await store.versions.listRejections(1, [a, b])).toHaveLength(3);
      expect(await store.versions.listRejections(2, [a, b])).toEqual([]);
      expect(sorted(await store.versions.listWaiting(1, ['p', 'q', 'r']))).toEqual([
        { layer: a, artifact_id: 'x' },
        { layer: b, artifact_id: 'x' },
      ]);
      await store.transaction(({ versions }) =>
        versions.putRejections(1, a, [{ ...child, awaits: ['r'] }]),
      );
      expect(await store.versions.listWaiting(1, ['q'])).toEqual([{ layer: b, artifact_id: 'x' }]);
      expect(await store.versions.listWaiting(1, ['r'])).toEqual([{ layer: a, artifact_id: 'x' }]);
      await store.transaction(({ versions }) => versions.removeRejections(1, a, ['x', 'nobody']));
      expect(await store.versions.listRejections(1, [a])).toEqual([{ ...other, layer: a }]);
      expect(await store.versions.listWaiting(1, ['r'])).toEqual([]);
      expect(await store.versions.listWaiting(2, ['q'])).toEqual([]);
    });
  });
}

function sorted<Row extends { layer: number }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => a.layer - b.layer);
}
