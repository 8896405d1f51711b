import { temporaryDatabase } from '@catalog/testkit/postgres-database';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createLocalLocks } from '../adapters/store/local-locks.ts';
import { openPostgresStore } from '../adapters/store/postgres/open-store.ts';
import { restoreExclusively } from './restore-exclusively.ts';

const { signal } = new AbortController();

test('restoreExclusively rejects a concurrent restore and a running registry', async () => {
  const locks = createLocalLocks();
  const restore = (): Promise<string> => restoreExclusively(locks, signal, async () => 'restored');
  await restoreExclusively(locks, signal, async () => {
    await expect(restore()).rejects.toThrow('Another restore into this store is in progress.');
    expect(await locks.tryTake('leader')).toBeUndefined();
  });
  const leader = await locks.tryTake('leader');
  await expect(restore()).rejects.toThrow('A registry is using this store');
  await leader?.release();
  await expect(
    restoreExclusively(locks, signal, () => Promise.reject(new Error('no more room'))),
  ).rejects.toThrow('no more room');
  expect(await restore()).toBe('restored');
});

const CUT = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'catalog locks'`;

test('restoreExclusively aborts its signal if the locks are lost', async () => {
  const { dsn, migration_dsn } = await temporaryDatabase();
  const store = await openPostgresStore({ dsn });
  const admin = new Client({ connectionString: migration_dsn });
  await admin.connect();
  try {
    await restoreExclusively(store.locks, signal, async (alone) => {
      const aborted = new Promise((resolve) => alone.addEventListener('abort', resolve));
      await admin.query(CUT);
      await aborted;
      expect(alone.reason).toMatchObject({ code: 'registry.unavailable' });
    });
  } finally {
    await admin.end();
    await store.close();
  }
});
