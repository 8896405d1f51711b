import { Client } from 'pg';
import type { ArchiveRows, ArchiveTable } from '@catalog/core/ports/archive';
import type { StoreSnapshot } from '@catalog/core/ports/store-snapshot';
import type { Sql } from '../../shared/sql.ts';
import { requireEveryTenant } from '../migrations/check-role.ts';
import { listApplied, requireSchema } from '../migrations/migrate.ts';
import { migrations } from '../migrations/table.ts';
import { clientQueries, SESSION } from '../pool/pool.ts';
import { explainConnection, translateError } from '../pool/postgres-error.ts';
import type { Queries, Run } from '../../shared/queries.ts';
import { readRevision } from '../revision.ts';
import { SNAPSHOT_TABLES } from './snapshot-rows.ts';
import { storeReads } from '../sub-stores.ts';
import { types } from '../pool/types.ts';

const ROWS_AT_ONCE = 1000;
const BLOBS_AT_ONCE = 100;
/** Copying a large store takes hours on one connection, so timeouts are disabled. */
const SETTINGS = [...SESSION, 'statement_timeout=0', 'idle_in_transaction_session_timeout=0'];

const READ_SIZES: Sql<{ content_hash: string; size: number }> =
  `SELECT content_hash, octet_length(bytes) AS size FROM blobs
  WHERE tenant = $1 AND content_hash = ANY($2::text[])`;

/**
 * Opens a consistent snapshot in one transaction. Requires the role that owns the schema, because it sees every tenant.
 */
export async function openPostgresSnapshot(dsn: string): Promise<StoreSnapshot> {
  const client = await begin(dsn);
  const queries = clientQueries(client);
  const run = runInSequence(queries);
  return {
    reads: storeReads({ run, together: run }, (tenant) => readRevision(run, tenant)),
    read: (table) => readPages(client, table),
    readBlobSizes: (tenant, hashes) =>
      run(tenant, async (on) => {
        const rows = await on.rows(READ_SIZES, tenant, hashes);
        return new Map(rows.map(({ content_hash, size }) => [content_hash, size]));
      }),
    close: () => client.end(),
  };
}

async function begin(dsn: string): Promise<Client> {
  const client = new Client({
    connectionString: dsn,
    application_name: 'catalog snapshot',
    options: SETTINGS.map((setting) => `-c ${setting}`).join(' '),
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    types,
  });
  // The next read reports this error.
  client.on('error', () => undefined);
  try {
    await client.connect().catch((error: unknown) => {
      throw explainConnection(error, dsn, 'store.migration_dsn');
    });
    await requireEveryTenant(client);
    requireSchema(await listApplied(client), migrations);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    // The first statement fixes the time of the snapshot.
    await client.query('SELECT 1');
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw translateError(error);
  }
}

/** Runs one step after the other, because each sets the tenant of the shared connection. */
function runInSequence(queries: Queries): Run {
  let last: Promise<unknown> = Promise.resolve();
  return (tenant, step) => {
    const next = last.then(async () => {
      await queries.run("SELECT set_config('catalog.tenant', $1, true)", String(tenant));
      return step(queries);
    });
    last = next.catch(() => undefined);
    return next;
  };
}

async function* readPages<Table extends ArchiveTable>(
  client: Client,
  table: Table,
): AsyncGenerator<ArchiveRows[Table][]> {
  const { sql, ...reader } = SNAPSHOT_TABLES[table];
  const cursor = `snapshot_${table}`;
  const batchSize = table === 'blobs' ? BLOBS_AT_ONCE : ROWS_AT_ONCE;
  try {
    await client.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql}`);
    for (;;) {
      const { rows } = await client.query<object>(`FETCH ${batchSize} FROM ${cursor}`);
      if (rows.length === 0) break;
      yield rows.map((row) => reader.read(row));
    }
    await client.query(`CLOSE ${cursor}`);
  } catch (error) {
    throw translateError(error);
  }
}
