import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { createDocumentedDatabase } from '@catalog/testkit/documented-database';
import { temporaryDatabase } from '@catalog/testkit/postgres-database';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from './migrations/migrate.ts';
import { migrations } from './migrations/table.ts';
import { openPostgresStore } from './open-store.ts';

const NOW = '2026-01-02T03:04:05.000Z';
const QUEUED = 2000;
const READ = `SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables
  WHERE relname = 'jobs'`;

test('claim_next_job reads few jobs, regardless of the queue length', async () => {
  const { dsn, migration_dsn } = await temporaryDatabase();
  const store = await openPostgresStore({ dsn, pool_size: 2 });
  onTestFinished(() => store.close());
  await store.transaction(async ({ jobs }) => {
    for (let number = 0; number < QUEUED; number += 1) {
      const request = { full: false, retry: [], trigger: 'start' } as const;
      const job = { job: `job-${number}`, layer_id: `layer-${number}`, request, now: NOW };
      await jobs.enqueue(ONLY_TENANT, job);
    }
  });
  const client = new Client({ connectionString: migration_dsn });
  await client.connect();
  await client.query('SET search_path = catalog');
  onTestFinished(() => client.end());
  const claim = async (): Promise<{ job: string; rows: number }> => {
    await client.query('BEGIN');
    const claimed = await client.query(
      `SELECT job FROM claim_next_job('worker', $1, $1::timestamptz + interval '1 hour', '{}', 1, 5, 3)`,
      [NOW],
    );
    const read = await client.query(READ);
    await client.query('COMMIT');
    return { job: claimed.rows[0].job, rows: read.rows[0].rows };
  };
  for (let number = 0; number < 4; number += 1) {
    const { job, rows } = await claim();
    expect(job).toBe(`job-${number}`);
    expect(rows).toBeLessThan(50);
  }
});

test('claim_next_job skips the jobs of personal layers without reading them', async () => {
  const { dsn, migration_dsn } = await temporaryDatabase();
  const store = await openPostgresStore({ dsn, pool_size: 2 });
  onTestFinished(() => store.close());
  const client = new Client({ connectionString: migration_dsn });
  await client.connect();
  await client.query('SET search_path = catalog');
  onTestFinished(() => client.end());
  const queue = `INSERT INTO jobs (tenant, job, layer_id, state, request, progress, created_at, personal)
    SELECT 1, p.job, p.job, 'queued', '{"trigger": "start"}', '{}', $1, p.personal FROM (`;
  await client.query(
    `${queue}SELECT 'personal-' || n AS job, true AS personal FROM generate_series(1, ${QUEUED}) n
      UNION ALL SELECT 'shared', false) p`,
    [NOW],
  );
  await client.query('BEGIN');
  const claimed = await client.query(
    `SELECT job FROM claim_next_job('worker', $1, $1::timestamptz + interval '1 hour', '{}', 1, 5, 0)`,
    [NOW],
  );
  const read = await client.query(READ);
  await client.query('COMMIT');
  expect(claimed.rows).toEqual([{ job: 'shared' }]);
  expect(read.rows[0].rows).toBeLessThan(50);
});

test('claim_next_job claims jobs that were queued before the upgrade', async () => {
  const database = await createDocumentedDatabase();
  onTestFinished(() => database.drop());
  const { dsn, migration_dsn } = database;
  await migrate(migration_dsn, migrations.slice(0, 22));
  const client = new Client({ connectionString: dsn });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("SET search_path = catalog; SET catalog.tenant = '1'");
  for (const trigger of ['start', 'webhook']) {
    await client.query(
      `INSERT INTO jobs (tenant, job, layer_id, state, request, progress, created_at)
        VALUES (1, $1, $1, 'queued', $2, '{}', $3)`,
      [trigger, JSON.stringify({ full: false, retry: [], trigger }), NOW],
    );
  }
  await migrate(migration_dsn, migrations);
  const { rows } = await client.query(
    `SELECT job FROM claim_next_job('worker', $1, $1::timestamptz + interval '1 hour', '{}', 1, 5, 3)`,
    [NOW],
  );
  expect(rows).toEqual([{ job: 'webhook' }]);
});
