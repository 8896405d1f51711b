import { newHead, openForTest } from '@catalog/core/conformance/samples.conformance';
import { temporaryDatabase } from '@catalog/testkit/postgres-database';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from '../open-store.ts';

const MODEL = { name: 'm', dimensions: 4, external: false, now: '2026-01-02T03:04:05.000Z' };
const CLAIM = { model: 'm', now: MODEL.now, until: '2026-01-02T03:14:05.000Z', limit: 99 };

async function connectOwner(connectionString: string): Promise<Client> {
  const owner = new Client({ connectionString, options: '-c search_path=catalog' });
  await owner.connect();
  onTestFinished(() => owner.end());
  return owner;
}

test('an interrupted model is not listed until it is completed', async () => {
  const { dsn, migration_dsn } = await temporaryDatabase();
  const store = await openForTest(() => openPostgresStore({ dsn }));
  for (const tenant of [1, 2]) {
    await store.transaction(({ search }) =>
      search.putDocuments(tenant, 1, [newHead({ id: 'a' }), newHead({ id: 'b' })]),
    );
  }
  const owner = await connectOwner(migration_dsn);
  await owner.query("SELECT add_embedding_model('m', 4, false, '2026-01-01')");
  await owner.query('SELECT fill_embedding_model(1, 1)');
  expect(await store.embeddings.listModels()).toEqual([]);
  expect(await store.embeddings.countWaiting('m')).toMatchObject({ waiting: 1 });
  await store.transaction(({ search }) => search.putDocuments(3, 1, [newHead({ id: 'c' })]));
  await store.embeddings.addModel(MODEL);
  expect(await store.embeddings.listModels()).toMatchObject([{ name: 'm' }]);
  const claimed = await store.embeddings.claimWaiting(CLAIM);
  const names = claimed.map(({ tenant, id }) => `${tenant} ${id}`);
  expect(names.toSorted()).toEqual(['1 a', '1 b', '2 a', '2 b', '3 c']);
});

test('documents written by the previous release become pending too', async () => {
  const { dsn, migration_dsn } = await temporaryDatabase();
  const store = await openForTest(() => openPostgresStore({ dsn }));
  await store.embeddings.addModel(MODEL);
  const owner = await connectOwner(migration_dsn);
  await owner.query(`INSERT INTO search_documents (tenant, layer, id, terms, impacts, contested)
      VALUES (1, 1, 'a', '{}', '{}/1000000000', false)`);
  expect(await store.embeddings.claimWaiting(CLAIM)).toMatchObject([{ id: 'a' }]);
});

test('documents that are committed late or released are claimed, although later ones were already claimed', async () => {
  const { dsn, migration_dsn } = await temporaryDatabase();
  const store = await openForTest(() => openPostgresStore({ dsn }));
  await store.embeddings.addModel(MODEL);
  const late = await connectOwner(migration_dsn);
  await late.query(`BEGIN;
    INSERT INTO search_documents (tenant, layer, id, terms, impacts, contested)
      VALUES (2, 1, 'late', '{}', '{}/1000000000', false)`);
  const put = (...ids: string[]): Promise<void> =>
    store.transaction(({ search }) =>
      search.putDocuments(
        1,
        1,
        ids.map((id) => newHead({ id })),
      ),
    );
  const claim = async (limit: number): Promise<string[]> =>
    (await store.embeddings.claimWaiting({ ...CLAIM, limit })).map(({ id }) => id);

  await put('a', 'b');
  const [first] = await store.embeddings.claimWaiting({ ...CLAIM, limit: 1 });
  expect(first?.id).toBe('a');
  await late.query('COMMIT');
  await put('c', 'd');
  expect(await claim(2)).toEqual(['b', 'c']);
  if (first !== undefined) await store.embeddings.releaseWaiting(1, 'm', [first]);
  expect(await claim(2)).toEqual(['late', 'a']);
  expect(await claim(99)).toEqual(['d']);
  expect(await claim(99)).toEqual([]);
});
