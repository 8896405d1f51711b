import type { PurgeReads, PurgeRecord, PurgeWrites } from '@catalog/core/ports/purges';
import type { PlainRows } from '@catalog/core/ports/plain-tables';
import type { Run, Transaction } from './queries.ts';
import type { Sql } from './sql.ts';
import { columnNames, plainTable, readRow } from './table.ts';

type PurgeRow = PlainRows['purges'];

const PURGES = plainTable('purges');
const COLUMNS = columnNames(PURGES);
const LIST: Sql<PurgeRow> = `SELECT ${COLUMNS} FROM purges
  WHERE tenant = $1 AND layer_id = $2 AND id = ANY ($3) ORDER BY id, version`;
const LIST_PENDING: Sql<PurgeRow> = `SELECT ${COLUMNS} FROM purges
  WHERE tenant = $1 AND CAST(pending_objects AS text) <> '[]' ORDER BY layer_id, id, version`;
const LIST_LAST: Sql<{ layer_id: string; purged_at: string }> =
  'SELECT layer_id, max(purged_at) AS purged_at FROM purges WHERE tenant = $1 GROUP BY layer_id';
const REPLACE = `ON CONFLICT (tenant, layer_id, id, version) DO UPDATE
  SET pending_objects = excluded.pending_objects`;

export function purgeReads(run: Run): PurgeReads {
  return {
    list: (tenant, layer_id, ids) =>
      run(tenant, async (queries) =>
        (await queries.rows(LIST, tenant, layer_id, ids)).map(toRecord),
      ),
    listPending: (tenant) =>
      run(tenant, async (queries) => (await queries.rows(LIST_PENDING, tenant)).map(toRecord)),
    listLast: (tenant) => run(tenant, (queries) => queries.rows(LIST_LAST, tenant)),
  };
}

export function purgeWrites({ run }: Transaction): PurgeWrites {
  return {
    ...purgeReads(run),
    put: (tenant, records) =>
      run(tenant, async (queries) => {
        await queries.insert(
          PURGES,
          records.map((record) => ({ tenant, ...record })),
          REPLACE,
        );
      }),
  };
}

function toRecord(row: PurgeRow): PurgeRecord {
  const { tenant: _, ...record } = readRow(PURGES, row);
  return record;
}
