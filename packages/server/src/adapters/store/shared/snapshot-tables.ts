import type { ArchiveRows, PlainTable } from '@catalog/core/ports/archive';
import { LEDGER, TENANTS } from './archive.ts';
import { AUDIT } from './audit.ts';
import { GIVEN_UP, MEMBERS, RESOURCES } from './directory.ts';
import { GRANTS } from './grants.ts';
import { JOBS } from './jobs.ts';
import { LAYER_NUMBERS, LAYERS } from './layers.ts';
import { OUTBOX } from './outbox.ts';
import { RECEIVERS, toArchivedReceiver } from './receivers.ts';
import { columnNames, readRow, type Table } from './table.ts';
import { TENANT_RECORDS, toRecord } from './tenant-rows.ts';

/** How the rows of a table are read from a snapshot. */
export interface SnapshotTable<Row> {
  /** Selects every row, in the order of the keys. */
  sql: string;
  /** Converts a row that `sql` returned. */
  read(stored: object): Row;
}

export const PLAIN_TABLES: { [Name in PlainTable]: SnapshotTable<ArchiveRows[Name]> } = {
  tenants: plain(TENANTS, 'ORDER BY tenant'),
  tenant_records: { ...plain(TENANT_RECORDS, 'ORDER BY tenant'), read: toRecord },
  admin_grants: plain(GRANTS, 'ORDER BY tenant, user_id'),
  directory_resources: plain(RESOURCES, 'ORDER BY tenant, kind, id'),
  directory_members: plain(MEMBERS, 'ORDER BY tenant, group_id, user_id'),
  directory_given_up: plain(GIVEN_UP, 'ORDER BY tenant, kind, name'),
  layer_numbers: plain(LAYER_NUMBERS, 'ORDER BY tenant, number'),
  layers: plain(LAYERS, 'ORDER BY tenant, number'),
  ledger: plain(LEDGER, 'ORDER BY tenant, layer_id, id, version'),
  jobs: without(
    'fence',
    plain(JOBS, "WHERE state IN ('done', 'failed') ORDER BY tenant, position"),
  ),
  outbox: without('timestamp', plain(OUTBOX, 'ORDER BY tenant, sequence')),
  receivers: {
    sql: `SELECT ${columnNames(RECEIVERS)} FROM receivers ORDER BY tenant, receiver`,
    read: toArchivedReceiver,
  },
  audit: plain(AUDIT, 'ORDER BY tenant, position'),
};

function plain<Row extends object>(table: Table<Row>, rest: string): SnapshotTable<Row> {
  return {
    sql: `SELECT ${columnNames(table)} FROM ${table.name} ${rest}`,
    read: (stored) => readRow(table, stored),
  };
}

/** Leaves out a column that follows from the others. */
function without<Row extends object, Column extends keyof Row>(
  column: Column,
  table: SnapshotTable<Row>,
): SnapshotTable<Omit<Row, Column>> {
  return {
    sql: table.sql,
    read(stored) {
      const { [column]: _, ...rest } = table.read(stored);
      return rest;
    },
  };
}
