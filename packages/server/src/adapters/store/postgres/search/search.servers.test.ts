import { newHead, openForTest } from '@catalog/core/conformance/samples.conformance';
import { searchIndexConformance } from '@catalog/core/conformance/search-index/search-index.conformance';
import type { SearchDocument, SearchQuery } from '@catalog/core/ports/search-index';
import type { Store } from '@catalog/core/ports/store';
import { referenceSearch } from '@catalog/core/search/reference-search';
import { sharedDatabase, temporaryDatabase } from '@catalog/testkit/postgres-database';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { openPostgresStore } from '../open-store.ts';

const TENANT = 1;
const NOTHING: SearchQuery = { query: '', type: '', tags: [], scope: '', top_k: 10 };

describe('PostgreSQL', () => {
  const database = sharedDatabase();
  searchIndexConformance(async () => openPostgresStore({ dsn: (await database()).dsn }));

  test('search index leaves no rows after removal', async () => {
    const { dsn, migration_dsn } = await database();
    const store = await openForTest(() => openPostgresStore({ dsn }));
    await put(store, 1, [documentOf('a/b', 'one'), documentOf('c', 'two')]);
    await put(store, 2, [documentOf('a/b', 'one and three')]);
    await store.transaction(async ({ search }) => {
      await search.removeDocuments(TENANT, 1, ['a/b', 'c', 'never there']);
      await search.removeDocuments(TENANT, 2, ['a/b']);
    });
    for (const table of ['documents', 'terms', 'frequencies', 'postings', 'trigrams']) {
      expect(await countRows(migration_dsn, `search_${table}`), table).toBe(0);
    }
  });

  test('search finds tags of any length', async () => {
    const { dsn } = await database();
    const store = await openForTest(() => openPostgresStore({ dsn }));
    const tags = ['x'.repeat(3_000), `${'x'.repeat(2_999)}y`];
    await put(store, 1, [{ ...documentOf('a', ''), tags }, documentOf('b', '')]);
    const find = async (tag: string): Promise<string[]> => {
      const { hits } = await store.search.search(TENANT, [1], { ...NOTHING, tags: [tag] });
      return hits.map(({ id }) => id);
    };
    expect(await find(tags[1] ?? '')).toEqual(['a']);
    expect(await find('x'.repeat(2_999))).toEqual([]);
  });

  test('search above the read limit reports an estimated total and still returns the best results', async () => {
    const { dsn } = await database();
    const store = await openForTest(() => openPostgresStore({ dsn }));
    const documents = Array.from({ length: 12_000 }, (_, index) =>
      documentOf(
        `d/${index}`,
        `common ${'filler '.repeat(index % 500)}${index % 2 === 0 ? 'half' : ''}`,
      ),
    );
    await put(store, 1, documents);
    const heads = new Set(documents.map(({ id }) => id));
    for (const query of ['common', 'common half']) {
      const searchQuery = { ...NOTHING, query };
      const answer = await store.search.search(TENANT, [1], searchQuery);
      const reference = referenceSearch([{ number: 1, heads, documents }], searchQuery);
      expect(answer.hits.map(({ score }) => score)).toEqual(
        reference.hits.map(({ score }) => score),
      );
      expect(answer).toMatchObject({ total_matched: 12_000, total_estimated: true });
      expect(answer.bound).toBe(reference.bound);
    }
  }, 60_000);
});

test('search index writes among thousands of documents with outdated planner statistics', async () => {
  const { dsn, migration_dsn } = await temporaryDatabase();
  // Thirty times the duration of the longest statement, but less than that of a plan that compares all pairs.
  const statement_timeout_ms = 10_000;
  const store = await openForTest(() => openPostgresStore({ dsn, statement_timeout_ms }));
  const documents = Array.from({ length: 9_000 }, (_, index) =>
    documentOf(`d/${index}`, `common ${index % 2 === 0 ? 'half' : ''}`),
  );
  const ids = documents.map(({ id }) => id);
  await withOwner(migration_dsn, (owner) => owner.query(NO_AUTOVACUUM));
  await put(store, 1, documents.slice(0, 5));
  await withOwner(migration_dsn, (owner) => owner.query('ANALYZE'));
  await store.transaction(({ search }) => search.removeDocuments(TENANT, 1, ids.slice(0, 5)));
  await withOwner(migration_dsn, (owner) => owner.query('ANALYZE catalog.search_documents'));
  await put(store, 1, documents);
  await put(store, 1, documents.slice(4_000, 4_500));
  await store.transaction(({ search }) => search.removeDocuments(TENANT, 1, ids.slice(10)));
  const { hits, total_matched } = await store.search.search(TENANT, [1], {
    ...NOTHING,
    query: 'common',
  });
  expect(hits.map(({ id }) => id).toSorted()).toEqual(ids.slice(0, 10));
  expect(total_matched).toBe(10);
  expect(await countRows(migration_dsn, 'search_postings')).toBe(20);
}, 60_000);

const NO_AUTOVACUUM = `DO $$ DECLARE name regclass; BEGIN
  FOR name IN SELECT oid FROM pg_class WHERE relnamespace = 'catalog'::regnamespace AND relkind = 'r'
  LOOP EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = off)', name); END LOOP;
END $$`;

async function put(
  store: Store,
  layer: number,
  documents: readonly SearchDocument[],
): Promise<void> {
  await store.transaction(async ({ versions, search }) => {
    const heads = documents.map(({ id }) => newHead({ id, layer }));
    await versions.putHeads(TENANT, layer, heads);
    await search.putDocuments(TENANT, layer, documents);
  });
}

function documentOf(id: string, description: string): SearchDocument {
  return { id, type: 'skill', tags: [], name: id, description, when_to_use: [] };
}

async function countRows(dsn: string, table: string): Promise<number> {
  return withOwner(dsn, async (owner) => {
    const { rows } = await owner.query<{ count: string }>(`SELECT count(*) FROM catalog.${table}`);
    return Number(rows[0]?.count);
  });
}

async function withOwner<Result>(
  dsn: string,
  work: (owner: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: dsn });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
