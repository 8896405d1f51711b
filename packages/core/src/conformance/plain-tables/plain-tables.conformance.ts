import { describe, expect, test } from 'vitest';
import {
  listPlainTables,
  PLAIN_TABLES,
  storedName,
  type ColumnKind,
  type Engine,
} from '../../ports/plain-tables.ts';

export interface SchemaTable {
  name: string;
  columns: Readonly<Record<string, string>>;
  keys: readonly (readonly string[])[];
}

const TYPES: Readonly<Record<Engine, Record<ColumnKind, readonly string[]>>> = {
  sqlite: {
    integer: ['INTEGER'],
    text: ['TEXT'],
    time: ['TEXT'],
    flag: ['INTEGER'],
    json: ['TEXT'],
    texts: ['TEXT'],
  },
  postgres: {
    integer: ['integer', 'bigint'],
    text: ['text'],
    time: ['timestamp(3) with time zone'],
    flag: ['boolean'],
    json: ['json'],
    texts: ['text[]'],
  },
};

/** Compares the declared tables with a schema. `others` are its tables that are not plain tables. */
export function plainTablesConformance(
  engine: Engine,
  readSchema: () => Promise<readonly SchemaTable[]>,
  others: readonly string[],
): void {
  describe(`plain table declarations and the schema of ${engine}`, () => {
    test('have the same tables', async () => {
      const schema = await readSchema();
      const declared = listPlainTables().map((name) => storedName(name, engine));
      expect(schema.map(({ name }) => name).toSorted()).toEqual(
        [...declared, ...others].toSorted(),
      );
    });

    test('have the same columns with the same types', async () => {
      const schema = await readSchema();
      for (const name of listPlainTables()) {
        const { columns, internal, postgres_columns } = PLAIN_TABLES[name];
        const declared: Record<string, ColumnKind> = { ...columns, ...internal };
        if (engine === 'postgres') Object.assign(declared, postgres_columns);
        const stored = findTable(schema, storedName(name, engine)).columns;
        const kinds = Object.entries(stored).map(([column, type]) => {
          const kind = declared[column];
          return [column, kind !== undefined && TYPES[engine][kind].includes(type) ? kind : type];
        });
        expect(Object.fromEntries(kinds), name).toEqual(declared);
      }
    });

    test('have the same keys, which start with the tenant in all tenant tables', async () => {
      const schema = await readSchema();
      for (const name of listPlainTables()) {
        const { key, scope } = PLAIN_TABLES[name];
        const { columns, keys } = findTable(schema, storedName(name, engine));
        expect(keys, name).toContainEqual(key);
        expect('tenant' in columns, name).toBe(scope.of !== 'store');
        expect(key[0] === 'tenant', name).toBe(scope.of !== 'store');
      }
    });
  });
}

function findTable(schema: readonly SchemaTable[], wanted: string): SchemaTable {
  const table = schema.find(({ name }) => name === wanted);
  return table ?? { name: wanted, columns: {}, keys: [] };
}
