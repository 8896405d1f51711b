import { describe, expect, test } from 'vitest';
import { ONLY_TENANT } from '../../ports/tenant.ts';
import type { StoredSignature } from '../../ports/signatures.ts';
import { openForTest, sampleLayer, sampleVersion, type OpenStore } from '../samples.conformance.ts';

const KEY = 'a'.repeat(64);

function signatureOf(
  layer: number,
  id: string,
  more: Partial<StoredSignature> = {},
): StoredSignature {
  return {
    layer,
    id,
    version: '1.0.0',
    content_hash: 'sha256:one',
    key_id: KEY,
    payload: '{"a":"“ü”"}',
    signature: 'c2ln',
    signed_at: '2026-01-02T03:04:05.000Z',
    ...more,
  };
}

export function signaturesConformance(open: OpenStore): void {
  describe('signatures', () => {
    test('are found by version, and by content hash in the given layers', async () => {
      const store = await openForTest(open);
      const signatures = [signatureOf(1, 'b'), signatureOf(1, 'a'), signatureOf(2, 'a')];
      await store.transaction((writes) => writes.signatures.put(ONLY_TENANT, signatures));
      expect(
        await store.signatures.get(ONLY_TENANT, { layer: 1, id: 'b', version: '1.0.0' }),
      ).toEqual(signatures[0]);
      const find = (layers: number[], ids?: string[]) =>
        store.signatures.find(ONLY_TENANT, {
          layers,
          content_hashes: ['sha256:one', 'sha256:two'],
          ...(ids === undefined ? {} : { ids }),
          limit: 10,
        });
      expect((await find([1])).map(({ id }) => id)).toEqual(['a', 'b']);
      expect((await find([1, 2])).map(({ id, layer }) => [id, layer])).toEqual([
        ['a', 1],
        ['a', 2],
        ['b', 1],
      ]);
      expect((await find([1, 2], ['b'])).map(({ id }) => id)).toEqual(['b']);
      expect(
        await store.signatures.find(2, { layers: [1], content_hashes: ['sha256:one'], limit: 10 }),
      ).toEqual([]);
    });

    test('are replaced by later ones of the same version', async () => {
      const store = await openForTest(open);
      const later = signatureOf(1, 'a', { key_id: 'b'.repeat(64), content_hash: 'sha256:two' });
      await store.transaction(async ({ signatures }) => {
        await signatures.put(ONLY_TENANT, [signatureOf(1, 'a')]);
        await signatures.put(ONLY_TENANT, [later]);
      });
      expect(
        await store.signatures.get(ONLY_TENANT, { layer: 1, id: 'a', version: '1.0.0' }),
      ).toEqual(later);
    });

    test('are missing for versions that no given key signed', async () => {
      const store = await openForTest(open);
      const layer = await store.transaction(async ({ layers, versions, signatures }) => {
        const { number } = await layers.create(ONLY_TENANT, sampleLayer('base'));
        const stored = ['a', 'b', 'c'].map((id, at) =>
          sampleVersion({ layer: number, id, version: '1.0.0', ingest_order: at + 1 }),
        );
        await versions.putVersions(ONLY_TENANT, 'base', stored);
        await signatures.put(ONLY_TENANT, [signatureOf(number, 'b')]);
        return number;
      });
      const list = async (key_ids: string[], after = '') => {
        const page = { key_ids, after: { layer, id: after, version: '' }, limit: 2 };
        return (await store.signatures.listUnsigned(ONLY_TENANT, page)).map(({ id }) => id);
      };
      expect(await list([KEY])).toEqual(['a', 'c']);
      expect(await list([])).toEqual(['a', 'b']);
      expect(await list([KEY], 'b')).toEqual(['c']);
    });

    test('go with their versions', async () => {
      const store = await openForTest(open);
      const key = await store.transaction(async ({ layers, versions, signatures }) => {
        const { number } = await layers.create(ONLY_TENANT, sampleLayer('base'));
        await versions.putVersions(ONLY_TENANT, 'base', [
          sampleVersion({ layer: number, id: 'a', version: '1.0.0' }),
        ]);
        await signatures.put(ONLY_TENANT, [signatureOf(number, 'a')]);
        return { layer: number, id: 'a', version: '1.0.0' };
      });
      await store.transaction(({ layers }) => layers.purge(ONLY_TENANT, key.layer));
      expect(await store.signatures.get(ONLY_TENANT, key)).toBeUndefined();
    });
  });

  describe('key sets', () => {
    test('are listed by version', async () => {
      const store = await openForTest(open);
      const set = { document: '{}', signatures: [{ key_id: KEY, sig: 'c2ln' }] };
      const versions = [1_800_000_000_000, 1_700_000_000_000];
      for (const version of versions) {
        await store.transaction(({ key_sets }) => key_sets.add({ version, ...set }));
      }
      expect(await store.key_sets.list()).toEqual(
        versions.toReversed().map((version) => ({ version, ...set })),
      );
      const again = store.transaction(({ key_sets }) =>
        key_sets.add({ version: versions[0] ?? 0, ...set }),
      );
      await expect(again).rejects.toThrow();
    });
  });
}
