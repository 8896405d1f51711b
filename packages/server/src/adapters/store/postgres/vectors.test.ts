import { vectorIndexConformance } from '@catalog/core/conformance/vector-index/vector-index.conformance';
import { sharedDatabase, temporaryDatabase } from '@catalog/testkit/postgres-database';
import { Client } from 'pg';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openPostgresStore } from './open-store.ts';

describe('in PostgreSQL, vector by vector', () => {
  const database = sharedDatabase();
  vectorIndexConformance(async () => openPostgresStore({ dsn: (await database()).dsn }));
});

describe('in PostgreSQL, by the graph of the nearest', () => {
  const database = sharedDatabase();
  vectorIndexConformance(async () =>
    openPostgresStore({ dsn: (await database()).dsn, most_compared: 0 }),
  );
});

describe('the graph of the nearest', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('may take longer than any statement of a request', async () => {
    const { dsn, migration_dsn } = await temporaryDatabase();
    const store = await openPostgresStore({ dsn, statement_timeout_ms: 1000 });
    onTestFinished(() => store.close());
    await store.vectors.addModel({ name: 'm', dimensions: 4 });
    const owner = new Client({ connectionString: migration_dsn });
    await owner.connect();
    onTestFinished(() => owner.end());
    await owner.query('BEGIN');
    await owner.query('LOCK TABLE catalog.vectors_1 IN ACCESS EXCLUSIVE MODE');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const settled = expect(store.vectors.settle('m')).resolves.toBeUndefined();
    await owner.query('SELECT pg_sleep(1.3)');
    // Longer than this side waits for the answer to a statement that is never late.
    vi.advanceTimersByTime(60_000);
    await owner.query('COMMIT');
    await settled;
  });
});
