import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { newHead } from '@catalog/core/conformance/samples.conformance';
import { searchIndexConformance } from '@catalog/core/conformance/search-index/search-index.conformance';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { openSqliteStore } from '../open-store.ts';

describe('search in memory', () => {
  searchIndexConformance(() => openSqliteStore({ path: ':memory:' }));
});

describe('search in a file', () => {
  searchIndexConformance(() => openSqliteStore({ path: join(temporaryFolder(), 'catalog.db') }));

  test('tracks ids of several layers only while several layers have them, and leaves no rows', async () => {
    const path = join(temporaryFolder(), 'catalog.db');
    const store = await openSqliteStore({ path });
    const document = { id: 'a/b', type: 'skill', tags: ['x'], name: 'b', description: 'c' };
    const ids = ['a/b'];
    await store.transaction(async ({ versions, search }) => {
      for (const layer of [1, 2, 3])
        await versions.putHeads(1, layer, [newHead({ id: 'a/b', layer })]);
      await search.putDocuments(1, 1, [{ ...document, when_to_use: [] }]);
    });
    expect(countRows(path, 'contested_heads')).toBe(3);
    await store.transaction(({ versions }) => versions.removeHeads(1, 2, ids));
    expect(countRows(path, 'contested_heads')).toBe(2);
    await store.transaction(async ({ versions, search }) => {
      await versions.removeHeads(1, 1, ids);
      await search.removeDocuments(1, 1, ids);
    });
    for (const table of [
      'contested_heads',
      'search_documents',
      'search_terms',
      'search_postings',
      'search_words',
      'search_trigrams',
    ]) {
      expect(countRows(path, table), table).toBe(0);
    }
    await store.close();
  });
});

function countRows(path: string, table: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count']);
  } finally {
    database.close();
  }
}
