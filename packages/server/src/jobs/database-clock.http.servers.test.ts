import { temporaryDatabase } from '@catalog/testkit/postgres-database';
import { startRegistry } from '@catalog/testkit/registry-server';
import { Client } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';

const HOUR_MS = 3_600_000;

const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: How to greet.\n---\nWave.\n';

const TIMES = `SELECT clock_timestamp() AS now, array_agg(at) AS times FROM (
  SELECT (record->>'timestamp')::timestamptz AS at FROM catalog.audit
  UNION ALL SELECT unnest(ARRAY[created_at, started_at, finished_at]) FROM catalog.jobs) seen`;

test.each([-2, 2])(
  'a process with a clock that is %i hours off writes leases and audit times with the database clock',
  async (hours) => {
    const { dsn, migration_dsn } = await temporaryDatabase();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * HOUR_MS });
    onTestFinished(() => void vi.useRealTimers());
    const server = await startRegistry({
      layers: { base: { 'ops/greet/ARTIFACT.md': RULE } },
      settings: { 'store.type': 'postgres', 'store.dsn': dsn, 'store.pool_size': 4 },
    });
    const client = new Client({ connectionString: migration_dsn });
    await client.connect();
    onTestFinished(() => client.end());
    const { rows } = await client.query<{ now: Date; times: Date[] }>(TIMES);
    const [row] = rows;
    if (row === undefined) throw new Error('The query returned no row.');
    expect(row.times.length).toBeGreaterThan(3);
    const off = row.times.map((time) => Math.abs(time.getTime() - row.now.getTime()));
    expect(Math.max(...off)).toBeLessThan(60_000);

    const claimed = server.registry.now();
    const { rows: clock } = await client.query<{ now: Date }>('SELECT clock_timestamp() AS now');
    expect(Math.abs(claimed.getTime() - (clock[0]?.now.getTime() ?? 0))).toBeLessThan(1_000);
  },
);
