import type { PlainRows } from '@catalog/core/ports/plain-tables';
import type {
  NumberedRead,
  ReadLogReads,
  ReadLogState,
  ReadLogWrites,
  ReadWriter,
} from '@catalog/core/ports/read-log';
import type { Tenant } from '@catalog/core/ports/tenant';
import { NO_TENANT, type Queries, type Run, type Transaction } from './queries.ts';
import type { Sql } from './sql.ts';
import { columnNames, insertInto, parametersOf, plainTable, readRow } from './table.ts';

type ReadRow = PlainRows['audit_reads'];

const READS = plainTable('audit_reads');
const WRITERS = plainTable('read_writers');
const COLUMNS = columnNames(READS);
const IS_ARTIFACT = "artifact <> '' AND artifact";
const NEWEST = selectNewest('');
const NEWEST_OF_ARTIFACT = selectNewest(`AND ${IS_ARTIFACT} = $4`);
const NEWEST_OF_SUBJECT = selectNewest('AND subject = $4');
const NEWEST_OF_BOTH = selectNewest(`AND ${IS_ARTIFACT} = $4 AND subject = $5`);
const LIST: Sql<ReadRow> = `SELECT ${COLUMNS} FROM audit_reads
  WHERE tenant = $1 AND position > $2 ORDER BY position LIMIT $3`;
const STATE: Sql<ReadLogState> =
  'SELECT position, sealed, sealed_at FROM read_logs WHERE tenant = $1';
// Concurrent appends wait for this row, so numbers follow the order of commits.
const TAKE: Sql<{ position: number }> = `INSERT INTO read_logs (tenant, position) VALUES ($1, $2)
  ON CONFLICT (tenant) DO UPDATE SET position = read_logs.position + $2
  RETURNING position`;
const SEAL = `UPDATE read_logs SET sealed = $3, sealed_at = $4 WHERE tenant = $1 AND sealed = $2`;
const LIST_WRITERS: Sql<ReadWriter> =
  'SELECT process, last_batch_at FROM read_writers ORDER BY process';
const PUT_WRITER = insertInto(
  WRITERS,
  'ON CONFLICT (process) DO UPDATE SET last_batch_at = excluded.last_batch_at',
);
const REMOVE_WRITER = 'DELETE FROM read_writers WHERE process = $1';
// Removes only records before the first one to keep.
const PRUNE = `WITH oldest AS (
    SELECT position, minute FROM audit_reads
    WHERE tenant = $1 AND position <= (SELECT sealed FROM read_logs WHERE tenant = $1)
    ORDER BY position LIMIT $3)
  DELETE FROM audit_reads WHERE tenant = $1 AND position < coalesce(
    (SELECT min(position) FROM oldest WHERE minute >= $2),
    (SELECT max(position) + 1 FROM oldest))`;

function selectNewest(filter: string): Sql<ReadRow> {
  return `SELECT ${COLUMNS} FROM audit_reads WHERE tenant = $1 AND position < $2 ${filter}
    ORDER BY position DESC LIMIT $3`;
}

export function readLogReads(run: Run): ReadLogReads {
  return {
    listNewest: (tenant, filter, before = Number.MAX_SAFE_INTEGER, limit) =>
      run(tenant, async (queries) => {
        const { artifact, subject } = filter;
        const from = [tenant, before, limit] as const;
        if (artifact !== '' && subject !== '') {
          return toRecords(await queries.rows(NEWEST_OF_BOTH, ...from, artifact, subject));
        }
        if (artifact !== '') {
          return toRecords(await queries.rows(NEWEST_OF_ARTIFACT, ...from, artifact));
        }
        if (subject !== '') {
          return toRecords(await queries.rows(NEWEST_OF_SUBJECT, ...from, subject));
        }
        return toRecords(await queries.rows(NEWEST, ...from));
      }),
    list: (tenant, after, limit) =>
      run(tenant, async (queries) => toRecords(await queries.rows(LIST, tenant, after, limit))),
    state: (tenant) => run(tenant, (queries) => readState(queries, tenant)),
    listWriters: () => run(NO_TENANT, (queries) => queries.rows(LIST_WRITERS)),
  };
}

export function readLogWrites({ beside }: Transaction): ReadLogWrites {
  return {
    ...readLogReads(beside),
    async append(tenant, records) {
      if (records.length === 0) return;
      await beside(tenant, async (queries) => {
        const row = await queries.row(TAKE, tenant, records.length);
        if (row === undefined) throw new Error('The position of the read log was not stored.');
        const first = row.position - records.length + 1;
        const rows = records.map((record, at) => ({ tenant, position: first + at, ...record }));
        await queries.insert(READS, rows);
      });
    },
    seal: (tenant, { from, to, at }) =>
      beside(tenant, async (queries) => (await queries.run(SEAL, tenant, from, to, at)) > 0),
    putWriter: (writer) =>
      beside(NO_TENANT, async (queries) => {
        await queries.run(PUT_WRITER, ...parametersOf(WRITERS, writer));
      }),
    removeWriter: (process) =>
      beside(NO_TENANT, async (queries) => (await queries.run(REMOVE_WRITER, process)) > 0),
    prune: (tenant, before, max_deleted) =>
      beside(tenant, (queries) => queries.run(PRUNE, tenant, before, max_deleted)),
  };
}

async function readState(queries: Queries, tenant: Tenant): Promise<ReadLogState> {
  return (await queries.row(STATE, tenant)) ?? { position: 0, sealed: 0, sealed_at: null };
}

function toRecords(rows: readonly ReadRow[]): NumberedRead[] {
  return rows.map((row) => {
    const { tenant: _, ...record } = readRow(READS, row);
    return record;
  });
}
