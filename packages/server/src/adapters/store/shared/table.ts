import {
  PLAIN_TABLES,
  storedName,
  type ColumnKind,
  type PlainRows,
  type PlainTable,
} from '@catalog/core/ports/plain-tables';
import type { Parameter } from './parameter.ts';

/** A table whose rows both engines store in the same columns. */
export interface Table<Row extends object> {
  name: string;
  columns: Readonly<Record<keyof Row & string, ColumnKind>>;
}

/** The declared table of a name, which both engines store under the same name. */
export function plainTable<Name extends PlainTable>(name: Name): Table<PlainRows[Name]> {
  const { columns } = PLAIN_TABLES[name];
  return { name: storedName(name, 'postgres'), columns };
}

/** The columns as a statement names them, in the order of `parametersOf`. */
export function columnNames<Row extends object>(table: Table<Row>, alias?: string): string {
  const prefix = alias === undefined ? '' : `${alias}.`;
  return Object.keys(table.columns)
    .map((name) => `${prefix}"${name}"`)
    .join(', ');
}

/** A statement that inserts one row with the parameters of `parametersOf`. */
export function insertInto<Row extends object>(table: Table<Row>, onConflict = ''): string {
  const places = Object.keys(table.columns).map((_, at) => `$${at + 1}`);
  return `INSERT INTO ${table.name} (${columnNames(table)}) VALUES (${places.join(', ')}) ${onConflict}`;
}

/** The values of a row, one for each column. */
export function parametersOf<Row extends object>(table: Table<Row>, row: Row): Parameter[];
export function parametersOf(table: Table<object>, row: Record<string, Parameter>): Parameter[] {
  return Object.entries<ColumnKind>(table.columns).map(([name, kind]) => {
    const value = row[name] ?? null;
    return kind === 'json' && value !== null ? JSON.stringify(value) : value;
  });
}

/** A row as the ports name it: SQLite stores flags as numbers, and JSON and lists as text. */
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

/** The value of a JSON column that holds an object or a list; PostgreSQL's driver has parsed it. */
export function readJson<Value>(stored: Value | string): Value {
  return typeof stored === 'string' ? JSON.parse(stored) : stored;
}
