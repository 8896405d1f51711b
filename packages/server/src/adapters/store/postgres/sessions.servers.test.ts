import { temporaryDatabase } from '@catalog/testkit/postgres-database';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from './open-store.ts';

test('pruning also removes expired rows of the previous release within the same limit', async () => {
  const { dsn, migration_dsn } = await temporaryDatabase();
  const owner = new Client({ connectionString: migration_dsn, options: '-c search_path=catalog' });
  await owner.connect();
  onTestFinished(() => owner.end());
  for (const table of ['sessions', 'session_choices']) {
    const subject = table === 'sessions' ? '' : ", 'ann'";
    await owner.query(`INSERT INTO ${table} (tenant${subject === '' ? '' : ', subject'}, session_id,
      id, layer, version, expires_at)
      SELECT 1${subject}, 's' || n, 'x', 1, '1.0.0', '2026-01-01' FROM generate_series(1, 2) n`);
  }
  const store = await openPostgresStore({ dsn });
  onTestFinished(() => store.close());
  const prune = (max_deleted: number): Promise<number> =>
    store.transaction(({ sessions }) => sessions.prune('2026-01-02T00:00:00.000Z', max_deleted));
  expect([await prune(3), await prune(3), await prune(3)]).toEqual([3, 1, 0]);
});
