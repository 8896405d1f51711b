import { existsSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { ArchiveRows, ArchiveTable } from '@catalog/core/ports/archive';
import type { StoreSnapshot } from '@catalog/core/ports/store-snapshot';
import { openConnection, type Connection, type Run } from '../connection/connection.ts';
import { requireCurrent } from '../migrations/migrate.ts';
import { migrations } from '../migrations/table.ts';
import { runOver } from '../connection/queries.ts';
import { loadRevisions } from '../revisions.ts';
import { SNAPSHOT_TABLES } from './snapshot-rows.ts';
import { describeFileProblem } from '../connection/sqlite-error.ts';
import { storeReads } from '../sub-stores.ts';

const ROWS_AT_ONCE = 1000;
const BLOBS_AT_ONCE = 100;

/**
 * Opens a consistent snapshot. Neither the snapshot nor the registry waits for the other, but the WAL grows until the
 * snapshot is closed.
 */
export async function openSqliteSnapshot(path: string): Promise<StoreSnapshot> {
  const connection = begin(path);
  const revisions = loadRevisions(connection);
  const run: Run = async (step) => step(connection);
  const shared = runOver(run);
  return {
    reads: storeReads(run, { run: shared, together: shared }, async (tenant) => {
      return revisions.get(tenant) ?? 0;
    }),
    read: (table) => readPages(connection, table),
    readBlobSizes: (tenant, hashes) =>
      run((on) => {
        const statement = on.statement<{ size: number }>(
          'SELECT length(bytes) AS size FROM blobs WHERE tenant = ? AND content_hash = ?',
        );
        const sizes = new Map<string, number>();
        for (const hash of hashes) {
          const row = statement.get(tenant, hash);
          if (row !== undefined) sizes.set(hash, row.size);
        }
        return sizes;
      }),
    async close() {
      connection.exec('ROLLBACK');
      connection.close();
    },
  };
}

function begin(path: string): Connection {
  if (!existsSync(path)) throw cannotRead(path, 'the file does not exist');
  const connection = openConnection(path, { read_only: true });
  try {
    // The first read fixes the time of the snapshot.
    connection.exec('BEGIN');
    requireCurrent(connection, path, migrations);
    return connection;
  } catch (error) {
    connection.close();
    const trouble = describeFileProblem(error);
    throw trouble === undefined ? error : cannotRead(path, trouble);
  }
}

async function* readPages<Table extends ArchiveTable>(
  connection: Connection,
  table: Table,
): AsyncGenerator<ArchiveRows[Table][]> {
  const batchSize = table === 'blobs' ? BLOBS_AT_ONCE : ROWS_AT_ONCE;
  let page: ArchiveRows[Table][] = [];
  const { sql, ...reader } = SNAPSHOT_TABLES[table];
  for (const row of connection.statement(sql).iterate()) {
    page.push(reader.read(row));
    if (page.length < batchSize) continue;
    yield page;
    page = [];
    await nextTurn();
  }
  if (page.length > 0) yield page;
}

function cannotRead(path: string, why: string): CatalogError {
  return new CatalogError('config.invalid', `The store ${path} cannot be read: ${why}.`, {
    details: { path },
    suggested_action: 'Set store.sqlite_path to the SQLite file of a registry.',
  });
}
