import { fusedSearchConformance } from '@catalog/core/conformance/vector-index/fused-search.conformance';
import { vectorIndexConformance } from '@catalog/core/conformance/vector-index/vector-index.conformance';
import { newHead, openForTest } from '@catalog/core/conformance/samples.conformance';
import type { Store } from '@catalog/core/ports/store';
import {
  createDatabase,
  dropDatabase,
  sharedDatabase,
  temporaryDatabase,
} from '@catalog/testkit/postgres-database';
import { Client } from 'pg';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { migrate } from '../migrations/migrate.ts';
import { migrations } from '../migrations/table.ts';
import { openPostgresStore } from '../open-store.ts';

describe('PostgreSQL with exact comparison', () => {
  const database = sharedDatabase();
  const open = async () => openPostgresStore({ dsn: (await database()).dsn });
  vectorIndexConformance(open);
  fusedSearchConformance(open);
});

describe('PostgreSQL with the vector index', () => {
  const database = sharedDatabase();
  const open = async () => openPostgresStore({ dsn: (await database()).dsn, most_compared: 0 });
  vectorIndexConformance(open);
  fusedSearchConformance(open);
});

describe('vector index', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('may take longer to build than the timeout of any request', async () => {
    const { dsn, migration_dsn } = await temporaryDatabase();
    const store = await openPostgresStore({ dsn, statement_timeout_ms: 1000 });
    onTestFinished(() => store.close());
    await store.vectors.addModel(MODEL);
    const owner = await connect(migration_dsn);
    await owner.query('BEGIN');
    await owner.query('LOCK TABLE catalog.vectors_1 IN ACCESS EXCLUSIVE MODE');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const settled = expect(store.vectors.settle('m')).resolves.toBeUndefined();
    await owner.query('SELECT pg_sleep(1.3)');
    vi.advanceTimersByTime(60_000);
    await owner.query('COMMIT');
    await settled;
  });

  test('does not block writes while it is built and excludes documents removed meanwhile', async () => {
    const { dsn, migration_dsn } = await temporaryDatabase();
    const store = await openForTest(() => openPostgresStore({ dsn, most_compared: 0 }));
    await store.vectors.addModel(MODEL);
    await putDocument(store, 'a');
    await putDocument(store, 'b');
    const owner = await connect(migration_dsn);
    await owner.query('BEGIN');
    await owner.query('LOCK TABLE catalog.vectors_1 IN SHARE MODE');
    await store.transaction(({ search }) => search.removeDocuments(1, 1, ['a']));
    expect(await find(store)).toMatchObject([{ id: 'b' }]);
    await owner.query('COMMIT');
    await store.vectors.settle(MODEL.name);
    expect(await find(store)).toMatchObject([{ id: 'b' }]);
    expect(await store.vectors.countVectors(1, MODEL.name)).toBe(1);
  });
});

describe('model', () => {
  test('is missing after another process dropped it, and a new one of the same name is separate', async () => {
    const { dsn } = await temporaryDatabase();
    const [one, other] = [
      await openForTest(() => openPostgresStore({ dsn })),
      await openForTest(() => openPostgresStore({ dsn })),
    ];
    await one.vectors.addModel(MODEL);
    await putDocument(one, 'a');
    expect(await find(other)).toMatchObject([{ id: 'a' }]);
    await one.vectors.dropModel(MODEL.name);
    expect(await find(other)).toEqual([]);
    await one.vectors.addModel(MODEL);
    expect(await find(other)).toEqual([]);
    await putDocument(other, 'a');
    expect(await find(one)).toMatchObject([{ id: 'a' }]);
  });

  test('from before domain vectors gets a table for these vectors', async () => {
    const { name, dsn, migration_dsn } = await createDatabase();
    onTestFinished(() => dropDatabase(name));
    await migrate(migration_dsn, migrations.slice(0, 10));
    const owner = await connect(migration_dsn);
    await owner.query("SET search_path = catalog; SELECT add_vector_model('m', 4)");
    await migrate(migration_dsn, migrations);
    const store = await openForTest(() => openPostgresStore({ dsn }));
    const domain = { path: 'ops', layer: '1', fields: {}, body: 'x' };
    await store.transaction(({ domains }) =>
      domains.putDomains(1, 1, [{ path: 'ops', text: 'x', domain }]),
    );
    const shelf = { layer: 1, kind: 'domain', model: MODEL.name } as const;
    await store.vectors.putVectors(1, shelf, [{ id: 'ops', vector: VECTOR }]);
    const query = { model: MODEL.name, vector: VECTOR, scope: '', top_k: 1 };
    expect(await store.vectors.searchDomainVectors(1, [1], query)).toMatchObject([{ path: 'ops' }]);
  });
});

const MODEL = { name: 'm', dimensions: 4 };
const VECTOR = Float32Array.of(1, 0, 0, 0);

async function connect(dsn: string): Promise<Client> {
  const client = new Client({ connectionString: dsn });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function putDocument(store: Store, id: string): Promise<void> {
  await store.transaction(async ({ versions, search }) => {
    await versions.putHeads(1, 1, [newHead({ id })]);
    await search.putDocuments(1, 1, [newHead({ id })]);
  });
  const shelf = { layer: 1, kind: 'artifact', model: MODEL.name } as const;
  await store.vectors.putVectors(1, shelf, [{ id, vector: VECTOR }]);
}

function find(store: Store): ReturnType<Store['vectors']['searchVectors']> {
  const query = { type: '', tags: [], scope: '', top_k: 10 };
  return store.vectors.searchVectors(1, [1], { ...query, model: MODEL.name, vector: VECTOR });
}
