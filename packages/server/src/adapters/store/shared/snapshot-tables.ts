import { BACKED_UP_TABLES, type ArchiveRows } from '@catalog/core/ports/archive';
import { backupOf, PLAIN_TABLES, type BackedUpTable } from '@catalog/core/ports/plain-tables';
import { toArchivedReceiver } from './receivers.ts';
import { columnNames, plainTable, readRow, type Table } from './table.ts';
import { toRecord } from './tenant-rows.ts';

export interface SnapshotTable<Row> {
  sql: string;
  read(stored: object): Row;
}

const READ_CONVERTED: { [Name in BackedUpTable]?: (stored: object) => ArchiveRows[Name] } = {
  tenant_records: toRecord,
  receivers: toArchivedReceiver,
};

export function plainSnapshots(): { [Name in BackedUpTable]: SnapshotTable<ArchiveRows[Name]> };
export function plainSnapshots(): Record<string, SnapshotTable<object>> {
  return Object.fromEntries(BACKED_UP_TABLES.map((name) => [name, plainSnapshot(name)]));
}

function plainSnapshot(name: BackedUpTable): SnapshotTable<object> {
  const { only, order = PLAIN_TABLES[name].key } = backupOf(name);
  const table = backedUpTable(name);
  const where =
    only === undefined ? '' : ` WHERE ${only.column} IN ('${only.values.join("', '")}')`;
  return {
    sql: `SELECT ${columnNames(table)} FROM ${table.name}${where} ORDER BY ${order.join(', ')}`,
    read: READ_CONVERTED[name] ?? ((stored) => readRow(table, stored)),
  };
}

function backedUpTable(name: BackedUpTable): Table<object> {
  const { derived = {} } = backupOf(name);
  const { name: stored_as, columns } = plainTable(name);
  const kept = Object.entries(columns).filter(([column]) => !(column in derived));
  return { name: stored_as, columns: Object.fromEntries(kept) };
}
