import { setImmediate } from 'node:timers/promises';
import { locksConformance } from '@catalog/core/conformance/locks/locks.conformance';
import { temporaryDatabase } from '@catalog/testkit/postgres-database';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLocks, type SharedLocks } from './locks.ts';

const NEVER = new AbortController().signal;

async function openPair(): Promise<readonly [SharedLocks, SharedLocks]> {
  const { dsn } = await temporaryDatabase();
  const pair = [openLocks(() => dsn), openLocks(() => dsn)] as const;
  onTestFinished(async () => {
    for (const locks of pair) await locks.close();
  });
  return pair;
}

describe('PostgreSQL', () => {
  locksConformance(openPair);
});

test('openLocks loses its locks with the connection and can acquire them again', async () => {
  const { dsn, migration_dsn } = await temporaryDatabase();
  const locks = openLocks(() => dsn);
  onTestFinished(() => locks.close());
  const holds = [await locks.take('a', NEVER), await locks.take('b', NEVER)];
  await endSessions(migration_dsn);
  for (const { lost } of holds) {
    if (!lost.aborted) await new Promise((resolve) => lost.addEventListener('abort', resolve));
  }
  for (const hold of holds) await hold.release();
  const again = await locks.take('a', NEVER);
  expect(again.lost.aborted).toBe(false);
});

test('openLocks releases all locks on close', async () => {
  const [here, there] = await openPair();
  const hold = await here.take('a', NEVER);
  await here.close();
  expect(hold.lost.aborted).toBe(true);
  await expect(here.take('a', NEVER)).rejects.toMatchObject({ code: 'registry.unavailable' });
  const next = await there.take('a', NEVER);
  await next.release();
});

test('openLocks loses its locks if the primary changes and acquires them on the new one', async () => {
  const databases = [await temporaryDatabase(), await temporaryDatabase()];
  let primary = 0;
  const locks = openLocks(() => databases[primary]?.dsn ?? '');
  onTestFinished(() => locks.close());
  const hold = await locks.take('a', NEVER);
  primary = 1;
  locks.lose();
  await setImmediate();
  expect(hold.lost.aborted).toBe(true);
  await hold.release();
  const again = await locks.take('a', NEVER);
  expect(again.lost.aborted).toBe(false);
  const there = openLocks(() => databases[1]?.dsn ?? '');
  onTestFinished(() => there.close());
  expect(await there.tryTake('a')).toBeUndefined();
});

test('openLocks leaves a name free for a moment between two local holders, so that other processes can acquire it', async () => {
  const [here] = await openPair();
  const pauses: number[] = [];
  for (let turn = 0; turn < 10; turn += 1) {
    const hold = await here.take('a', NEVER);
    const next = here.take('a', NEVER);
    await setImmediate();
    await hold.release();
    const released_ms = performance.now();
    const taken = await next;
    pauses.push(performance.now() - released_ms);
    await taken.release();
  }
  // A timer may fire a fraction of a millisecond too early.
  expect(Math.min(...pauses)).toBeGreaterThan(4);
});

async function endSessions(dsn: string): Promise<void> {
  const client = new Client({ connectionString: dsn });
  await client.connect();
  await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'catalog locks'`);
  await client.end();
}
