import { temporaryDatabase } from '@catalog/testkit/postgres-database';
import { Client, escapeIdentifier } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';

/** Of the whole database: the steps of its schema, a copy being put into it, and the names of models. */
const TENANTLESS = ['migrations', 'restores', 'vector_models'];

const TABLES = `SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS secured,
    EXISTS (SELECT 1 FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attname = 'tenant' AND a.attnotnull) AS of_tenants,
    has_table_privilege('catalog_program', c.oid, 'SELECT') AS readable
  FROM pg_class c WHERE c.relnamespace = 'catalog'::regnamespace AND c.relkind IN ('r', 'p')
  ORDER BY c.relname`;

interface Table {
  name: string;
  secured: boolean;
  of_tenants: boolean;
  readable: boolean;
}

/** Columns that a row cannot do without. */
const NEEDED = `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type
  FROM pg_attribute a WHERE a.attrelid = ('catalog.' || $1)::regclass AND a.attnum > 0
    AND NOT a.attisdropped AND a.attnotnull AND NOT a.atthasdef AND a.attidentity = ''`;

/** Something of a type that differs between tenants where it can. */
function sampleOf(type: string, tenant: number): string {
  if (type.endsWith('[]')) return '{}';
  if (/^(smallint|integer|bigint|real|double)/.test(type)) return String(tenant);
  if (type === 'text') return `of ${tenant}`;
  if (type === 'boolean') return 'false';
  if (type.startsWith('timestamp')) return '2026-01-02T03:04:05Z';
  if (type.startsWith('json')) return '{}';
  if (type === 'bytea') return '\\x00';
  if (type === 'uuid') return `00000000-0000-0000-0000-00000000000${tenant}`;
  const vector = /^(sparsevec|halfvec|vector)\((\d+)\)$/.exec(type);
  if (vector?.[1] === 'sparsevec') return `{1:1}/${vector[2]}`;
  if (vector !== null) return JSON.stringify(Array.from({ length: Number(vector[2]) }, () => 1));
  throw new Error(`no sample of ${type}`);
}

async function connect(dsn: string): Promise<Client> {
  const client = new Client({ connectionString: dsn, options: '-c search_path=catalog' });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function listTables(client: Client): Promise<Table[]> {
  return (await client.query<Table>(TABLES)).rows;
}

async function insertRow(client: Client, table: string, tenant: number): Promise<void> {
  const { rows } = await client.query<{ name: string; type: string }>(NEEDED, [table]);
  const names = rows.map(({ name }) => escapeIdentifier(name)).join(', ');
  const places = rows.map((_, index) => `$${index + 1}`).join(', ');
  const values = rows.map(({ name, type }) =>
    name === 'tenant' ? tenant : sampleOf(type, tenant),
  );
  await client.query(`INSERT INTO ${table} (${names}) VALUES (${places})`, values);
}

/** A database with every kind of table there is, also those that are made for a model. */
async function openDatabase(): Promise<{ dsn: string; owner: Client }> {
  const { dsn, migration_dsn } = await temporaryDatabase();
  const owner = await connect(migration_dsn);
  await owner.query("SELECT add_vector_model('sample', 4)");
  return { dsn, owner };
}

describe('row-level security', () => {
  test('is on and forced for every table that knows tenants, and every other one is known', async () => {
    const { owner } = await openDatabase();
    const tables = await listTables(owner);
    expect(tables.length).toBeGreaterThan(20);
    const tenantless = tables.filter(({ of_tenants }) => !of_tenants);
    expect(tenantless.map(({ name }) => name)).toEqual(TENANTLESS);
    const open = tables.filter(({ secured, of_tenants }) => of_tenants && !secured);
    expect(open).toEqual([]);
  });

  /** A database where two tenants have a row in every table, and the tables. */
  async function twoTenants(): Promise<{ dsn: string; tables: Table[] }> {
    const { dsn, owner } = await openDatabase();
    const tables = (await listTables(owner)).filter(({ of_tenants }) => of_tenants);
    for (const { name } of tables) {
      await insertRow(owner, name, 1);
      await insertRow(owner, name, 2);
    }
    return { dsn, tables };
  }

  test('fails a statement for which no tenant was named', async () => {
    const { dsn, tables } = await twoTenants();
    const program = await connect(dsn);
    for (const { name, readable } of tables) {
      const refusal = readable ? /catalog\.tenant/ : /permission denied/;
      await expect(program.query(`SELECT FROM ${name}`), name).rejects.toThrow(refusal);
    }
  });

  test('shows and gives one tenant nothing of another, whatever the statement forgets', async () => {
    const { dsn, tables } = await twoTenants();
    const program = await connect(dsn);
    await program.query("SET catalog.tenant = '1'");
    for (const { name } of tables.filter(({ readable }) => readable)) {
      await program.query('BEGIN');
      const { rows } = await program.query(`SELECT tenant FROM ${name}`);
      expect(rows, name).toEqual([{ tenant: 1 }]);
      const deleted = await program.query(`DELETE FROM ${name}`);
      expect(deleted.rowCount, name).toBe(1);
      await expect(insertRow(program, name, 2), name).rejects.toThrow(/row-level security/);
      await program.query('ROLLBACK');
    }
  });
});
