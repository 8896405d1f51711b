import { temporaryDatabase } from '@catalog/testkit/postgres-database';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { STANDING } from './directory-standing.ts';

test('the standing of a subject is read by key, regardless of the number of users', async () => {
  const { dsn, migration_dsn } = await temporaryDatabase();
  const owner = new Client({ connectionString: migration_dsn, options: '-c search_path=catalog' });
  const program = new Client({
    connectionString: dsn,
    options: '-c search_path=catalog -c catalog.tenant=1',
  });
  for (const client of [owner, program]) {
    await client.connect();
    onTestFinished(() => client.end());
  }
  await owner.query(`INSERT INTO directory_resources
    SELECT 1, 'u' || n, 'User', 'n' || n, 'n' || n, 'e' || n, true, '{}', now(), now(), 1
    FROM generate_series(1, 20000) n`);
  await owner.query(`INSERT INTO directory_resources
    SELECT 1, 'g' || n, 'Group', 'G' || n, 'g' || n, NULL, true, '{}', now(), now(), 1
    FROM generate_series(1, 1000) n`);
  await owner.query(`INSERT INTO directory_members
    SELECT 1, 'g' || (n % 1000 + 1), 'u' || n FROM generate_series(1, 20000) n`);
  await owner.query(`INSERT INTO directory_given_up
    SELECT 1, 'name_key', 'old' || n FROM generate_series(1, 20000) n`);
  await owner.query('ANALYZE directory_resources, directory_members, directory_given_up');
  const { rows } = await program.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${STANDING}`, [
    1,
    ['n7', 'a@x'],
    'n7',
  ]);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).not.toMatch(/Seq Scan/);
  expect(plan).toMatch(/directory_names/);
  expect(plan).toMatch(/directory_external_ids/);
});
