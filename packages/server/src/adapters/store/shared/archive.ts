import type {
  ArchiveReads,
  ArchiveRows,
  ArchiveWrites,
  PendingRestore,
  PlainTable,
} from '@catalog/core/ports/archive';
import { AUDIT } from './audit.ts';
import type { Dialect } from './dialect.ts';
import { GIVEN_UP, MEMBERS, RESOURCES } from './directory.ts';
import { GRANTS } from './grants.ts';
import { JOBS } from './jobs.ts';
import { insertLayer, LAYER_NUMBERS } from './layers.ts';
import { OUTBOX } from './outbox.ts';
import { NO_TENANT, type Queries, type Run, type Transaction } from './queries.ts';
import { putRestoredReceivers } from './receivers.ts';
import { readJson, type Table } from './table.ts';
import { TENANT_RECORDS, toRow } from './tenant-rows.ts';

const GET_PENDING = 'SELECT source, done FROM restores';
const SET_PENDING = `INSERT INTO restores (only_one, source, done) VALUES ($1, $2, $3)
  ON CONFLICT (only_one) DO UPDATE SET source = excluded.source, done = excluded.done`;

export function archiveReads(run: Run, dialect: Dialect): ArchiveReads {
  return {
    isEmpty: () =>
      run(NO_TENANT, async (queries) => {
        const row = await queries.row<{ empty: boolean }>(dialect.STORE_IS_EMPTY);
        return Boolean(row?.empty);
      }),
    getPendingRestore: () =>
      run(NO_TENANT, async (queries) => {
        const row = await queries.row<PendingRestore>(GET_PENDING);
        return row && { source: row.source, done: readJson(row.done) };
      }),
  };
}

export function archiveWrites(transaction: Transaction, dialect: Dialect): ArchiveWrites {
  const { run, beside } = transaction;
  return {
    ...archiveReads(beside, dialect),
    async put(tenant, table, rows) {
      await run(tenant, (queries) => PUT[table](queries, rows));
      transaction.touchTenant(tenant);
    },
    setPendingRestore: (pending) =>
      beside(NO_TENANT, async (queries) => {
        if (pending === undefined) await queries.run('DELETE FROM restores');
        else await queries.run(SET_PENDING, true, pending.source, JSON.stringify(pending.done));
      }),
  };
}

export const TENANTS: Table<ArchiveRows['tenants']> = {
  name: 'tenants',
  columns: {
    tenant: 'integer',
    revision: 'integer',
    ingest_order: 'integer',
    event_sequence: 'integer',
    audit_position: 'integer',
  },
};
/** A tenant has its row from its first lock on. */
const REPLACE_TENANT = `ON CONFLICT (tenant) DO UPDATE SET revision = excluded.revision,
  ingest_order = excluded.ingest_order, event_sequence = excluded.event_sequence,
  audit_position = excluded.audit_position`;
/** The start of a registry may have added the record of the only tenant. */
const REMOVE_RECORD = 'DELETE FROM tenant_records WHERE tenant = $1';
export const LEDGER: Table<ArchiveRows['ledger']> = {
  name: 'version_ledger',
  columns: {
    tenant: 'integer',
    layer_id: 'text',
    id: 'text',
    version: 'text',
    authored_hash: 'text',
  },
};

const PUT: {
  [Name in PlainTable]: (queries: Queries, rows: readonly ArchiveRows[Name][]) => Promise<unknown>;
} = {
  tenants: (queries, rows) => queries.insert(TENANTS, rows, REPLACE_TENANT),
  async tenant_records(queries, rows) {
    for (const record of rows) {
      await queries.run(REMOVE_RECORD, record.tenant);
      await queries.insert(TENANT_RECORDS, [toRow({ extends_parents: null, ...record })]);
    }
  },
  admin_grants: (queries, rows) => queries.insert(GRANTS, rows),
  directory_resources: (queries, rows) => queries.insert(RESOURCES, rows),
  directory_members: (queries, rows) => queries.insert(MEMBERS, rows),
  directory_given_up: (queries, rows) => queries.insert(GIVEN_UP, rows),
  layer_numbers: (queries, rows) =>
    queries.insert(
      LAYER_NUMBERS,
      rows.map((row) => ({ holder: null, ...row })),
    ),
  async layers(queries, rows) {
    for (const layer of rows) await insertLayer(queries, layer);
  },
  ledger: (queries, rows) => queries.insert(LEDGER, rows),
  // They are numbered in the order in which they are inserted.
  jobs: (queries, rows) =>
    queries.insert(
      JOBS,
      rows.map((job) => ({ ...job, fence: job.attempts })),
    ),
  outbox: (queries, rows) =>
    queries.insert(
      OUTBOX,
      rows.map((row) => ({ ...row, timestamp: row.body.timestamp })),
    ),
  receivers: putRestoredReceivers,
  audit: (queries, rows) => queries.insert(AUDIT, rows),
};
