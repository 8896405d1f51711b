import { bytesHash } from '@catalog/core/artifact/content-hash';
import { migrate } from '@catalog/server/adapters/store/postgres/migrations/migrate';
import { migrations } from '@catalog/server/adapters/store/postgres/migrations/table';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, onTestFinished } from 'vitest';
import { serviceSetting } from './services.ts';

export interface TestDatabase {
  name: string;
  /** Connection string of the program's role. */
  dsn: string;
  /** Connection string of the owner, to whom row-level security does not apply. */
  migration_dsn: string;
}

const PROGRAM = 'catalog_test';
const PASSWORD = 'catalog';
/** Lock with which one process creates the template while others wait. */
const TEMPLATE_LOCK = 20_261_115;

export async function temporaryDatabase(): Promise<TestDatabase> {
  const database = await createDatabase(await prepareTemplate());
  onTestFinished(() => dropDatabase(database.name));
  return database;
}

/**
 * Returns a function that empties a database for each call, for suites that need an empty store hundreds of times.
 * Stores of earlier tests are closed first.
 */
export function sharedDatabase(): () => Promise<TestDatabase> {
  let shared: Promise<TestDatabase> | undefined;
  afterAll(async () => {
    if (shared !== undefined) await dropDatabase((await shared).name);
  });
  return async () => {
    shared ??= prepareTemplate().then(createDatabase);
    const database = await shared;
    await emptyTables(database.migration_dsn);
    return database;
  };
}

/** Deletes all rows, which for little data is faster than truncating. */
const DELETE_ALL = `DO $$ DECLARE name regclass; BEGIN
  FOR name IN SELECT oid FROM pg_class WHERE relnamespace = 'catalog'::regnamespace
    AND relkind = 'r' AND relname <> 'migrations'
  LOOP EXECUTE format('DELETE FROM %s', name); END LOOP;
END $$`;

async function emptyTables(dsn: string): Promise<void> {
  const client = new Client({ connectionString: dsn });
  await client.connect();
  try {
    await client.query(DELETE_ALL);
  } finally {
    await client.end();
  }
}

export async function createDatabase(template = 'template0'): Promise<TestDatabase> {
  const name = `catalog_${randomUUID().replaceAll('-', '')}`;
  await asAdmin((client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`),
  );
  return { name, dsn: dsnOf(name, PROGRAM, PASSWORD), migration_dsn: dsnOf(name) };
}

export async function dropDatabase(name: string): Promise<void> {
  await asAdmin((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
}

let prepared: Promise<string> | undefined;

/** Creates the template of a test database, once for each state of the migrations. */
export function prepareTemplate(): Promise<string> {
  prepared ??= makeTemplate();
  return prepared;
}

async function makeTemplate(): Promise<string> {
  const steps = migrations.map(({ checksum }) => checksum).join('\n');
  const name = `catalog_template_${bytesHash(steps).slice(-16)}`;
  await asAdmin(async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rows } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rows.length > 0) return;
    const building = `${name}_building`;
    await client.query(`DROP DATABASE IF EXISTS ${building} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${building}`);
    await migrate(dsnOf(building), migrations);
    await client.query(`DO $$ BEGIN
      IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${PROGRAM}') THEN
        CREATE ROLE ${PROGRAM} LOGIN PASSWORD '${PASSWORD}' IN ROLE catalog_program;
      END IF;
    END $$`);
    await client.query(`ALTER DATABASE ${building} RENAME TO ${name}`);
  });
  return name;
}

async function asAdmin<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: serviceSetting('CATALOG_TEST_POSTGRES_DSN') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function dsnOf(database: string, user?: string, password?: string): string {
  const url = new URL(serviceSetting('CATALOG_TEST_POSTGRES_DSN'));
  url.pathname = `/${database}`;
  if (user !== undefined) url.username = user;
  if (password !== undefined) url.password = password;
  return url.href;
}
