import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Store } from '@catalog/core/ports/store';
import { sampleEvent } from '@catalog/core/conformance/samples.conformance';
import { newLayer } from '@catalog/testkit/layer-record';
import {
  createDatabase,
  dropDatabase,
  temporaryDatabase,
} from '@catalog/testkit/postgres-database';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from './open-store.ts';
import type { ConnectionShortage } from './pool/connection-shortage.ts';

async function openStore(dsn: string): Promise<Store> {
  const store = await openPostgresStore({ dsn });
  onTestFinished(() => store.close());
  return store;
}

async function admin(dsn: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: dsn });
  await client.connect();
  await client.query(sql);
  await client.end();
}

const END_OTHERS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

function endProbesOf(name: string): string {
  return `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = '${name}' AND application_name = 'catalog probe'`;
}

describe('openPostgresStore', () => {
  test('suggests the migration command if the schema is missing', async () => {
    const { name, migration_dsn } = await createDatabase();
    onTestFinished(() => dropDatabase(name));
    await expect(openPostgresStore({ dsn: migration_dsn })).rejects.toMatchObject({
      code: 'config.invalid',
      suggested_action: 'Run `catalog admin migrate`.',
    });
  });

  test('rejects a role that sees every tenant', async () => {
    const { migration_dsn } = await temporaryDatabase();
    await expect(openPostgresStore({ dsn: migration_dsn })).rejects.toMatchObject({
      code: 'config.invalid',
      details: { key: 'store.dsn' },
      message: expect.stringContaining('can read the rows of every tenant'),
    });
  });

  test('is unavailable if the server cannot be reached', async () => {
    const { dsn } = await temporaryDatabase();
    const unreachableUrl = new URL(dsn);
    unreachableUrl.port = '1';
    await expect(openPostgresStore({ dsn: unreachableUrl.href })).rejects.toMatchObject({
      code: 'registry.unavailable',
      message: 'Cannot connect to PostgreSQL at 127.0.0.1:1: ECONNREFUSED.',
      suggested_action: 'Start PostgreSQL, or fix the host and port in store.dsn.',
    });
  });

  test('reports a server with too few connections for the processes and a rolling restart', async () => {
    const { dsn } = await temporaryDatabase();
    const shortages: ConnectionShortage[] = [];
    const open = async (pool_size: number): Promise<void> => {
      const onConnectionShortage = (found: ConnectionShortage): void => void shortages.push(found);
      const store = await openPostgresStore({ dsn, pool_size, onConnectionShortage });
      onTestFinished(() => store.close());
    };
    await open(2);
    expect(shortages).toEqual([]);
    await open(1000);
    expect(shortages).toMatchObject([{ processes: 3, needed: 3009 }]);
    for (const { available, max_connections } of shortages) {
      expect(available).toBeGreaterThan(0);
      expect(available).toBeLessThan(max_connections);
    }
  });

  test('migrates the schema if the DSN of the owner is set', async () => {
    const template = await temporaryDatabase();
    const { name, dsn, migration_dsn } = await createDatabase();
    onTestFinished(() => dropDatabase(name));
    expect(template.name).not.toBe(name);
    const store = await openPostgresStore({ dsn, migration_dsn });
    await store.probe();
    await store.close();
  });

  test('names the setting of the owner if the owner is rejected', async () => {
    const { dsn, migration_dsn } = await temporaryDatabase();
    const wrong = new URL(migration_dsn);
    wrong.username = 'nobody';
    const opened = openPostgresStore({ dsn, migration_dsn: wrong.href });
    await expect(opened).rejects.toMatchObject({
      code: 'config.invalid',
      details: { key: 'store.migration_dsn' },
      suggested_action: expect.stringContaining('store.migration_dsn'),
    });
  });

  test('retries a transaction whose connection was lost before the commit, and commits it once', async () => {
    const { dsn, migration_dsn } = await temporaryDatabase();
    const store = await openStore(dsn);
    let attempts = 0;
    await store.transaction(async ({ layers, audit }) => {
      attempts += 1;
      await layers.create(1, newLayer({ id: 'a' }));
      if (attempts === 1) await admin(migration_dsn, END_OTHERS);
      await audit.append(1, [
        { type: 't', timestamp: '', trace_id: '', 'caller.identity': `attempt ${attempts}` },
      ]);
    });
    expect(attempts).toBe(2);
    expect(await store.layers.list(1)).toHaveLength(1);
    const records = await store.audit.list(1, 0, 10);
    expect(records.map(({ record }) => record['caller.identity'])).toEqual(['attempt 2']);
  });

  test('retries a transaction after a conflict', async () => {
    const { dsn } = await temporaryDatabase();
    const store = await openStore(dsn);
    const other = await openStore(dsn);
    const met = Promise.withResolvers<void>();
    let waiting = 0;
    const attempts = { one: 0, other: 0 };
    // Two transactions change two tenants in opposite order, which causes a deadlock.
    const both = (name: 'one' | 'other', of: Store, first: number, second: number) =>
      of.transaction(async ({ layers }) => {
        attempts[name] += 1;
        await layers.create(first, newLayer({ id: name }));
        waiting += 1;
        if (waiting === 2) met.resolve();
        await met.promise;
        await layers.create(second, newLayer({ id: name }));
      });
    await Promise.all([both('one', store, 1, 2), both('other', other, 2, 1)]);
    expect(attempts.one + attempts.other).toBe(3);
    expect(await store.layers.list(1)).toHaveLength(2);
    expect(await store.layers.list(2)).toHaveLength(2);
  });

  test('serves reads again after its connections were lost', async () => {
    const { dsn, migration_dsn } = await temporaryDatabase();
    const store = await openStore(dsn);
    await store.layers.list(1);
    await admin(migration_dsn, END_OTHERS);
    await expect
      .poll(() => store.layers.list(1).catch(() => 'lost'), { timeout: 2000 })
      .toEqual([]);
  });

  test('notifies a process about a commit of another one, which its next read includes', async () => {
    const { dsn } = await temporaryDatabase();
    const writer = await openStore(dsn);
    const reader = await openStore(dsn);
    const { heard: receivedNotification } = await listenForCommit(dsn);
    await expect.poll(() => listeners(dsn), { timeout: 10_000 }).toBe(3);
    const committed = Promise.withResolvers<void>();
    reader.onCommit(committed.resolve);
    const before = await reader.layers.revision(1);
    await writer.transaction(async ({ layers, outbox }) => {
      await layers.create(1, newLayer({ id: 'a' }));
      await outbox.append(1, [sampleEvent('a')]);
    });
    expect(await reader.layers.revision(1)).toBeGreaterThan(before);
    expect(await reader.layers.list(1)).toHaveLength(1);
    await receivedNotification;
    await committed.promise;
  });

  test('loses its locks when the primary changes', async () => {
    const [one, two] = [await temporaryDatabase(), await temporaryDatabase()];
    const store = await openPostgresStore({
      dsn: one.dsn,
      replica_dsns: [two.dsn],
      probe_interval_ms: 100,
    });
    onTestFinished(() => store.close());
    const { promise, resolve } = Promise.withResolvers<void>();
    store.onNotice(({ kind }) => {
      if (kind === 'primary_changed') resolve();
    });
    const hold = await store.locks.take('a', new AbortController().signal);
    // The former primary still serves open connections, like a primary in a network partition.
    await admin(two.migration_dsn, `ALTER DATABASE ${one.name} ALLOW_CONNECTIONS false`);
    await admin(two.migration_dsn, endProbesOf(one.name));
    await promise;
    await setImmediate();
    expect(hold.lost.aborted).toBe(true);
  });

  test('shares one revision query between concurrent callers, but not with later ones', async () => {
    const { dsn } = await temporaryDatabase();
    const store = await openStore(dsn);
    await store.transaction(({ layers }) => layers.create(1, newLayer({ id: 'a' })));
    const early = [store.layers.revision(1), store.layers.revision(1), store.layers.revision(1)];
    expect(new Set(await Promise.all(early)).size).toBe(1);
    await store.transaction(({ layers }) => layers.create(1, newLayer({ id: 'b' })));
    expect(await store.layers.revision(1)).toBeGreaterThan((await early[0]) ?? 0);
  });
});

async function listenForCommit(dsn: string): Promise<{ heard: Promise<unknown> }> {
  const client = new Client({ connectionString: dsn });
  await client.connect();
  onTestFinished(() => client.end());
  const receivedNotification = once(client, 'notification');
  await client.query('LISTEN catalog_commits');
  return { heard: receivedNotification };
}

async function listeners(dsn: string): Promise<number> {
  const client = new Client({ connectionString: dsn });
  await client.connect();
  const { rows } = await client.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
  );
  await client.end();
  return rows[0]?.n ?? 0;
}
