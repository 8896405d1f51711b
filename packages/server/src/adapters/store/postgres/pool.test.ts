import { temporaryDatabase } from '@catalog/testkit/postgres-database';
import { expect, onTestFinished, test } from 'vitest';
import { openPool, type Connection, type Pool } from './pool.ts';
import { NO_TENANT } from './queries.ts';

/** A pool of one connection, so that each finds it as the one before left it. */
async function openOne(): Promise<Pool> {
  const { migration_dsn } = await temporaryDatabase();
  const pool = openPool({
    dsn: migration_dsn,
    size: 1,
    connect_timeout_ms: 5000,
    statement_timeout_ms: 5000,
    lock_timeout_ms: 5000,
    application_name: 'test',
  });
  onTestFinished(() => pool.close());
  return pool;
}

async function shownTo(connection: Connection, tenant: number): Promise<string | undefined> {
  const queries = await connection.forTenant(tenant);
  const row = await queries.row<{ shown: string }>(
    "SELECT current_setting('catalog.tenant') AS shown",
  );
  return row?.shown;
}

test('a connection shows whose rows it was asked for, nobody’s too, after a rollback', async () => {
  const pool = await openOne();
  await pool.use((connection) => shownTo(connection, 1));
  await pool.use(async (connection) => {
    await connection.exec('BEGIN');
    await connection.forTenant(2);
    connection.forgetTenant();
    await connection.exec('ROLLBACK');
  });
  expect(await pool.use((connection) => shownTo(connection, NO_TENANT))).toBe(String(NO_TENANT));
  expect(await pool.use((connection) => shownTo(connection, 2))).toBe('2');
});

test('a connection shows whose rows it was asked for after a commit that failed', async () => {
  const pool = await openOne();
  const failing = pool.use(async (connection) => {
    await connection.exec('CREATE TEMP TABLE once (n int UNIQUE DEFERRABLE INITIALLY DEFERRED)');
    await connection.forTenant(1);
    await connection.exec('BEGIN');
    await connection.forTenant(2);
    await connection.exec('INSERT INTO once VALUES (1), (1)');
    await connection.commit();
  });
  await expect(failing).rejects.toThrow('unique');
  expect(await pool.use((connection) => shownTo(connection, 2))).toBe('2');
});
