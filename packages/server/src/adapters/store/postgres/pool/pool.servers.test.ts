import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { temporaryDatabase } from '@catalog/testkit/postgres-database';
import { expect, onTestFinished, test } from 'vitest';
import { openPool, type Connection, type Pool } from './pool.ts';
import { classify } from './postgres-error.ts';
import { NO_TENANT } from '../../shared/queries.ts';

async function openOne(): Promise<Pool> {
  return openPoolAt((await temporaryDatabase()).migration_dsn);
}

function openPoolAt(dsn: string): Pool {
  const pool = openPool({
    dsn,
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

test('a connection shows the rows of the requested tenant, or of none, after a rollback', async () => {
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

test('a connection shows the rows of the requested tenant after a failed commit', async () => {
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

function messageOf(kind: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(kind), length, body]);
}

test('a server that shuts down during connect is reported as lost', async () => {
  // The processes of a killed server send the greeting and the shutdown error in one packet.
  const shutdownError = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0';
  const answer = Buffer.concat([
    messageOf('R', Buffer.alloc(4)),
    messageOf('Z', Buffer.from('I')),
    messageOf('E', Buffer.from(shutdownError)),
  ]);
  const server = createServer((socket) => socket.once('data', () => socket.end(answer)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port }: Pick<AddressInfo, 'port'> = Object(server.address());
  const pool = openPoolAt(`postgres://somebody@127.0.0.1:${port}/postgres?sslmode=disable`);
  for (let turn = 0; turn < 3; turn += 1) {
    const pendingQuery = pool.use((connection) => connection.exec('SELECT 1'));
    expect(classify(await pendingQuery.catch((error: unknown) => error))).toBe('lost');
  }
  expect(pool.usage().open).toBe(0);
});
