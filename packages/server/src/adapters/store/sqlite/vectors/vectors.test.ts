import { join } from 'node:path';
import {
  documentOf,
  meaningOf,
  MODEL,
  NOTHING,
  TENANT,
} from '@catalog/core/conformance/vector-index/vector-model.conformance';
import { fusedSearchConformance } from '@catalog/core/conformance/vector-index/fused-search.conformance';
import { vectorIndexConformance } from '@catalog/core/conformance/vector-index/vector-index.conformance';
import type { Store } from '@catalog/core/ports/store';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSqliteStore } from '../open-store.ts';

describe('vectors in memory', () => {
  const open = () => openSqliteStore({ path: ':memory:' });
  vectorIndexConformance(open);
  fusedSearchConformance(open);
});

describe('vectors in a file', () => {
  vectorIndexConformance(() => openSqliteStore({ path: join(temporaryFolder(), 'catalog.db') }));
});

describe('vectors in a file without memory for a copy', () => {
  const open = () =>
    openSqliteStore({ path: join(temporaryFolder(), 'catalog.db'), vector_bytes: 0 });
  vectorIndexConformance(open);
  fusedSearchConformance(open, { by_words: 120 });
});

describe('copy in memory', () => {
  const DOCUMENTS = 3000;
  const shelf = { layer: 1, kind: 'artifact', model: MODEL.name } as const;
  const idOf = (place: number): string => `d/${place}`;

  test('includes writes during its first load', async () => {
    const path = join(temporaryFolder(), 'catalog.db');
    await fill(path);
    const store = await openSqliteStore({ path });
    onTestFinished(() => store.close());
    const reading = find(store, 'report');
    const removed = [0, 1500, DOCUMENTS - 1].map(idOf);
    await store.transaction(({ search }) => search.removeDocuments(TENANT, 1, removed));
    await store.vectors.putVectors(TENANT, shelf, [{ id: idOf(7), vector: meaningOf('report') }]);
    await reading;
    expect(await find(store, 'report', 1)).toEqual([idOf(7)]);
    const all = await find(store, 'invoice', DOCUMENTS);
    expect(all).toHaveLength(DOCUMENTS - removed.length);
    expect(all.filter((id) => removed.includes(id))).toEqual([]);
  });

  test('is discarded if the store is closed while it loads', async () => {
    const path = join(temporaryFolder(), 'catalog.db');
    await fill(path);
    const store = await openSqliteStore({ path });
    const failed = expect(find(store, 'invoice')).rejects.toMatchObject({
      code: 'registry.unavailable',
    });
    await store.close();
    await failed;
  });

  async function fill(path: string): Promise<void> {
    const store = await openSqliteStore({ path });
    const ids = Array.from({ length: DOCUMENTS }, (_, place) => idOf(place));
    const vector = meaningOf('invoice');
    await store.vectors.addModel(MODEL);
    await store.transaction(({ search }) =>
      search.putDocuments(
        TENANT,
        1,
        ids.map((id) => documentOf(id, 'invoice')),
      ),
    );
    await store.vectors.putVectors(
      TENANT,
      shelf,
      ids.map((id) => ({ id, vector })),
    );
    await store.close();
  }

  async function find(store: Store, text: string, top_k = 10): Promise<string[]> {
    const vectorQuery = { ...NOTHING, model: MODEL.name, vector: meaningOf(text), top_k };
    const hits = await store.vectors.searchVectors(TENANT, [1], vectorQuery);
    return hits.map(({ id }) => id);
  }
});
