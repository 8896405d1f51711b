import { migrate } from '@catalog/server/adapters/store/postgres/migrations/migrate';
import { migrations } from '@catalog/server/adapters/store/postgres/migrations/table';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { serviceSetting } from '@catalog/testkit/services';
import { Client, type QueryResultRow } from 'pg';

export interface BenchDatabase {
  name: string;
  /** DSN with the role of the program. */
  dsn: string;
  /** DSN with the role of the owner, who can access everything. */
  owner_dsn: string;
}

const PROGRAM = 'catalog_bench';

/**
 * Recreates a small database with another schema. For a large one it throws, because filling it takes
 * long and the user must decide.
 */
export async function openKeptDatabase(name: string): Promise<BenchDatabase> {
  await (databaseLock ??= acquireDatabaseLock());
  const owner_dsn = dsnOf(name);
  await createDatabase(name);
  try {
    await migrate(owner_dsn, migrations);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    if ((await sizeOf(name)) > MAX_DROPPED_BYTES) {
      throw new Error(`${name} has another schema. Drop it, and run this again.`, {
        cause: error,
      });
    }
    await dropBenchDatabase(name);
    await createDatabase(name);
    await migrate(owner_dsn, migrations);
  }
  await query(owner_dsn, CREATE_PROGRAM);
  return { name, dsn: dsnOf(name, PROGRAM), owner_dsn };
}

let databaseLock: Promise<void> | undefined;

/** Acquires a lock until this process ends: two processes would fill the same database. */
async function acquireDatabaseLock(): Promise<void> {
  const client = new Client({ connectionString: dsnOf('postgres') });
  await client.connect();
  await client.query("SELECT pg_advisory_lock(hashtext('catalog kept databases'))");
}

/** Maximum size, in bytes, of a database that is dropped without confirmation. */
const MAX_DROPPED_BYTES = 2 ** 30;

async function sizeOf(name: string): Promise<number> {
  const [row] = await query<{ bytes: string }>(
    dsnOf('postgres'),
    'SELECT pg_database_size($1) AS bytes',
    [name],
  );
  return Number(row?.bytes ?? 0);
}

export async function dropBenchDatabase(name: string): Promise<void> {
  await query(dsnOf('postgres'), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

export async function query<Row extends QueryResultRow>(
  dsn: string,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: dsn });
  await client.connect();
  try {
    return (await client.query<Row>(sql, [...parameters])).rows;
  } finally {
    await client.end();
  }
}

async function createDatabase(name: string): Promise<void> {
  const found = await query(dsnOf('postgres'), 'SELECT 1 FROM pg_database WHERE datname = $1', [
    name,
  ]);
  if (found.length === 0) await query(dsnOf('postgres'), `CREATE DATABASE ${name}`);
}

const CREATE_PROGRAM = `DO $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${PROGRAM}') THEN
    CREATE ROLE ${PROGRAM} LOGIN PASSWORD '${PROGRAM}' IN ROLE catalog_program;
  END IF;
END $$`;

function dsnOf(database: string, program?: string): string {
  const url = new URL(serviceSetting('CATALOG_TEST_POSTGRES_DSN'));
  url.pathname = `/${database}`;
  if (program !== undefined) {
    url.username = program;
    url.password = program;
  }
  return url.href;
}
