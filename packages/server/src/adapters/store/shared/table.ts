import {
  PLAIN_TABLES,
  storedName,
  type ColumnKind,
  type PlainRows,
  type PlainTable,
} from '@catalog/core/ports/plain-tables';
import type { Parameter } from './parameter.ts';

export interface Table<Row extends object> {
  name: string;
  columns: Readonly<Record<keyof Row & string, ColumnKind>>;
}

export function plainTable<Name extends PlainTable>(name: Name): Table<PlainRows[Name]> {
  const { columns } = PLAIN_TABLES[name];
  return { name: storedName(name, 'postgres'), columns };
}

export function columnNames<Row extends object>(table: Table<Row>, alias?: string): string {
  const prefix = alias === undefined ? '' : `${alias}.`;
  return Object.keys(table.columns)
    .map((name) => `${prefix}"${name}"`)
    .join(', ');
}

export function insertInto<Row extends object>(table: Table<Row>, onConflict = ''): string {
  const places = Object.keys(table.columns).map((_, at) => `$${at + 1}`);
  return `INSERT INTO ${table.name} (${columnNames(table)}) VALUES (${places.join(', ')}) ${onConflict}`;
}

export function parametersOf<Row extends object>(table: Table<Row>, row: Row): Parameter[];
export function parametersOf(table: Table<object>, row: Record<string, Parameter>): Parameter[] {
  return Object.entries<ColumnKind>(table.columns).map(([name, kind]) => {
    const value = row[name] ?? null;
    return kind === 'json' && value !== null ? JSON.stringify(value) : value;
  });
}

/** Converts a stored row: SQLite stores booleans as numbers, and JSON and lists as strings. */
export function readRow<Row extends object>(table: Table<Row>, stored: object): Row;
export function readRow(table: Table<object>, stored: object): object {
  const values = new Map<string, unknown>(Object.entries(stored));
  return Object.fromEntries(
    Object.entries<ColumnKind>(table.columns).map(([name, kind]) => [
      name,
      readValue(kind, values.get(name)),
    ]),
  );
}

function readValue(kind: ColumnKind, stored: unknown): unknown {
  if (stored === null) return null;
  if (kind === 'flag') return Boolean(stored);
  if (kind === 'json' || kind === 'texts') return readJson(stored);
  return stored;
}

/** Parses a JSON column unless the PostgreSQL driver has already parsed it. */
export function readJson<Value>(stored: Value | string): Value {
  return typeof stored === 'string' ? JSON.parse(stored) : stored;
}
