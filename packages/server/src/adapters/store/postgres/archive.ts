import type {
  ArchiveReads,
  ArchiveRows,
  ArchiveWrites,
  PendingRestore,
  PlainTable,
} from '@catalog/core/ports/archive';
import { batches } from './batches.ts';
import { DIRECTORY_COLUMNS } from './directory.ts';
import { INSERT_LAYER, layerParameters } from './layers.ts';
import { NO_TENANT, type Queries, type Run } from './queries.ts';
import { toRow } from './tenants.ts';
import type { Transaction } from './transaction.ts';

const GET_PENDING = 'SELECT source, done FROM restores';
const SET_PENDING = `INSERT INTO restores (only_one, source, done) VALUES (true, $1, $2)
  ON CONFLICT (only_one) DO UPDATE SET source = excluded.source, done = excluded.done`;

export function archiveReads(run: Run): ArchiveReads {
  return {
    isEmpty: () =>
      run(NO_TENANT, async (queries) => {
        const row = await queries.row<{ empty: boolean }>('SELECT store_is_empty() AS empty');
        return row?.empty === true;
      }),
    getPendingRestore: () => run(NO_TENANT, (queries) => queries.row<PendingRestore>(GET_PENDING)),
  };
}

export function archiveWrites(transaction: Transaction): ArchiveWrites {
  const { run, beside } = transaction;
  return {
    ...archiveReads(beside),
    async put(tenant, table, rows) {
      for (const some of batches(rows)) {
        await run(tenant, (queries) => PUT[table](queries, some));
      }
      transaction.touchTenant(tenant);
    },
    setPendingRestore: (pending) =>
      beside(NO_TENANT, async (queries) => {
        if (pending === undefined) await queries.run('DELETE FROM restores');
        else await queries.run(SET_PENDING, pending.source, JSON.stringify(pending.done));
      }),
  };
}

/** The row of a tenant is there from its first lock on. */
const PUT_TENANT = `INSERT INTO tenants (tenant, revision, ingest_order, event_sequence, audit_position)
  SELECT tenant, revision, ingest_order, event_sequence, audit_position
  FROM json_populate_recordset(NULL::tenants, $1)
  ON CONFLICT (tenant) DO UPDATE SET revision = excluded.revision,
    ingest_order = excluded.ingest_order, event_sequence = excluded.event_sequence,
    audit_position = excluded.audit_position`;
/** A start may have made that of the only tenant. */
const REMOVE_RECORD = 'DELETE FROM tenant_records WHERE tenant = $1';
const PUT_RECORD = `INSERT INTO tenant_records
  SELECT * FROM json_populate_record(NULL::tenant_records, $1)`;
const PUT_GRANTS = `INSERT INTO admin_grants
  SELECT * FROM json_populate_recordset(NULL::admin_grants, $1)`;
const PUT_RESOURCES = `INSERT INTO directory_resources (tenant, ${DIRECTORY_COLUMNS})
  SELECT tenant, ${DIRECTORY_COLUMNS} FROM json_populate_recordset(NULL::directory_resources, $1)`;
const PUT_MEMBERS = `INSERT INTO directory_members (tenant, group_id, user_id)
  SELECT tenant, group_id, user_id FROM json_populate_recordset(NULL::directory_members, $1)`;
const PUT_GIVEN_UP = `INSERT INTO directory_given_up (tenant, kind, name)
  SELECT tenant, kind, name FROM json_populate_recordset(NULL::directory_given_up, $1)`;
const PUT_LAYER_NUMBERS = `INSERT INTO layer_numbers (tenant, id, number, revision, holder)
  SELECT tenant, id, number, revision, holder FROM json_populate_recordset(NULL::layer_numbers, $1)`;
const PUT_LEDGER = `INSERT INTO version_ledger
  SELECT * FROM json_populate_recordset(NULL::version_ledger, $1)`;
// They are numbered in the order in which they come.
const PUT_JOBS = `INSERT INTO jobs (tenant, job, layer_id, state, request, progress, attempts, fence,
    created_at, started_at, finished_at, report, error)
  SELECT (r).tenant, (r).job, (r).layer_id, (r).state, (r).request, (r).progress, (r).attempts,
    (r).attempts, (r).created_at, (r).started_at, (r).finished_at, (r).report, (r).error
  FROM (SELECT json_populate_record(NULL::jobs, row.value) AS r, row.ordinality
    FROM json_array_elements($1) WITH ORDINALITY AS row) rows
  ORDER BY ordinality`;
const PUT_EVENTS = `INSERT INTO outbox (tenant, sequence, timestamp, body)
  SELECT tenant, sequence, (body ->> 'timestamp')::timestamptz, body
  FROM json_populate_recordset(NULL::outbox, $1)`;
const PUT_AUDIT = `INSERT INTO audit (tenant, position, record)
  SELECT tenant, position, record FROM json_populate_recordset(NULL::audit, $1)`;

const PUT: {
  [Table in PlainTable]: (
    queries: Queries,
    rows: readonly ArchiveRows[Table][],
  ) => Promise<unknown>;
} = {
  tenants: (queries, rows) => queries.run(PUT_TENANT, JSON.stringify(rows)),
  async tenant_records(queries, rows) {
    for (const record of rows) {
      await queries.run(REMOVE_RECORD, record.tenant);
      await queries.run(PUT_RECORD, JSON.stringify(toRow({ extends_parents: null, ...record })));
    }
  },
  admin_grants: (queries, rows) => queries.run(PUT_GRANTS, JSON.stringify(rows)),
  directory_resources: (queries, rows) => queries.run(PUT_RESOURCES, JSON.stringify(rows)),
  directory_members: (queries, rows) => queries.run(PUT_MEMBERS, JSON.stringify(rows)),
  directory_given_up: (queries, rows) => queries.run(PUT_GIVEN_UP, JSON.stringify(rows)),
  layer_numbers: (queries, rows) => queries.run(PUT_LAYER_NUMBERS, JSON.stringify(rows)),
  async layers(queries, rows) {
    for (const layer of rows) {
      await queries.run(INSERT_LAYER, layer.tenant, ...layerParameters(layer));
    }
  },
  ledger: (queries, rows) => queries.run(PUT_LEDGER, JSON.stringify(rows)),
  jobs: (queries, rows) => queries.run(PUT_JOBS, JSON.stringify(rows)),
  outbox: (queries, rows) => queries.run(PUT_EVENTS, JSON.stringify(rows)),
  audit: (queries, rows) => queries.run(PUT_AUDIT, JSON.stringify(rows)),
};
