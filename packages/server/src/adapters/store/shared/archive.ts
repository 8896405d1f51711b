import { isJsonObject } from '@catalog/core/json';
import type {
  ArchiveReads,
  ArchiveRows,
  ArchiveWrites,
  PendingRestore,
} from '@catalog/core/ports/archive';
import {
  backupOf,
  PLAIN_TABLES,
  type BackedUpTable,
  type PlainRows,
} from '@catalog/core/ports/plain-tables';
import type { Dialect } from './dialect.ts';
import { NO_TENANT, type Queries, type Run, type Transaction } from './queries.ts';
import { putRestoredReceivers } from './receivers.ts';
import type { Sql } from './sql.ts';
import { insertInto, parametersOf, plainTable, readJson } from './table.ts';
import { toRow } from './tenant-rows.ts';

const GET_PENDING: Sql<PendingRestore> = 'SELECT source, done FROM restores';
const SET_PENDING = `INSERT INTO restores (only_one, source, done) VALUES ($1, $2, $3)
  ON CONFLICT (only_one) DO UPDATE SET source = excluded.source, done = excluded.done`;

export function archiveReads(run: Run, dialect: Dialect): ArchiveReads {
  return {
    isEmpty: () =>
      run(NO_TENANT, async (queries) => {
        const row = await queries.row(dialect.STORE_IS_EMPTY);
        return Boolean(row?.empty);
      }),
    getPendingRestore: () =>
      run(NO_TENANT, async (queries) => {
        const row = await queries.row(GET_PENDING);
        return row && { source: row.source, done: readJson(row.done) };
      }),
  };
}

export function archiveWrites(transaction: Transaction, dialect: Dialect): ArchiveWrites {
  const { run, beside } = transaction;
  return {
    ...archiveReads(beside, dialect),
    async put(tenant, table, rows) {
      await run(tenant, (queries) => putRows(queries, table, rows));
      transaction.touchTenant(tenant);
    },
    setPendingRestore: (pending) =>
      beside(NO_TENANT, async (queries) => {
        if (pending === undefined) await queries.run('DELETE FROM restores');
        else await queries.run(SET_PENDING, true, pending.source, JSON.stringify(pending.done));
      }),
  };
}

/** Rows whose format in backups differs from the one in the store. */
const PUT_CONVERTED: {
  [Name in BackedUpTable]?: (
    queries: Queries,
    rows: readonly ArchiveRows[Name][],
  ) => Promise<unknown>;
} = {
  tenant_records: (queries, rows) => putPlainRows(queries, 'tenant_records', rows.map(toRow)),
  receivers: putRestoredReceivers,
};

async function putRows<Name extends BackedUpTable>(
  queries: Queries,
  name: Name,
  rows: readonly ArchiveRows[Name][],
): Promise<void> {
  const put = PUT_CONVERTED[name];
  await (put === undefined ? putPlainRows(queries, name, rows) : put(queries, rows));
}

async function putPlainRows(
  queries: Queries,
  name: BackedUpTable,
  rows: readonly object[],
): Promise<void> {
  const table = plainTable(name);
  const stored = rows.map((row) => toStored(name, row));
  const onConflict = backupOf(name).replaces ? replaceRow(name) : '';
  if (!Object.values(table.columns).includes('texts')) {
    await queries.insert(table, stored, onConflict);
    return;
  }
  // PostgreSQL has no arrays of arrays with different lengths.
  const insert = insertInto(table, onConflict);
  for (const row of stored) await queries.run(insert, ...parametersOf(table, row));
}

function replaceRow(name: BackedUpTable): string {
  const { columns, key } = PLAIN_TABLES[name];
  const replaced = Object.keys(columns)
    .filter((column) => !key.some((part) => part === column))
    .map((column) => `"${column}" = excluded."${column}"`);
  return `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${replaced.join(', ')}`;
}

function toStored<Name extends BackedUpTable>(name: Name, archived: object): PlainRows[Name];
function toStored(name: BackedUpTable, archived: object): object {
  const { derived = {}, added = {} } = backupOf(name);
  const values = Object.entries(derived).map(([column, path = []]) => [
    column,
    valueAt(archived, path),
  ]);
  return { ...added, ...archived, ...Object.fromEntries(values) };
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  return isJsonObject(value) ? valueAt(value[first], rest) : undefined;
}
