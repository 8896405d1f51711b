import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { serviceSetting } from './services.ts';

/** Database with the roles of docs/operations/install.md, with unique names. */
export interface DocumentedDatabase {
  /** Connection string of the registry's role. */
  dsn: string;
  /** Connection string of the schema owner, who is not a superuser. */
  migration_dsn: string;
  superuser_dsn: string;
  drop(): Promise<void>;
}

/** Creates a database by the steps of the install page. */
export async function createDocumentedDatabase(): Promise<DocumentedDatabase> {
  const name = `catalog_${randomUUID().replaceAll('-', '')}`;
  const owner = `${name}_owner`;
  await asSuperuser('postgres', [
    ...['catalog_keeper', 'catalog_program'].map(createGroupRole),
    `CREATE ROLE ${owner} LOGIN PASSWORD 'owner'`,
    `CREATE ROLE ${name} LOGIN PASSWORD 'program' IN ROLE catalog_program`,
    `GRANT catalog_keeper TO ${owner}`,
    `CREATE DATABASE ${name} OWNER ${owner} TEMPLATE template0 ENCODING 'UTF8'`,
  ]);
  await asSuperuser(name, [
    `CREATE SCHEMA catalog AUTHORIZATION ${owner}`,
    'CREATE EXTENSION vector SCHEMA catalog',
  ]);
  return {
    dsn: dsnOf(name, { username: name, password: 'program' }),
    migration_dsn: dsnOf(name, { username: owner, password: 'owner' }),
    superuser_dsn: dsnOf(name),
    drop: () =>
      asSuperuser('postgres', [
        `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`,
        `DROP ROLE IF EXISTS ${name}`,
        `DROP ROLE IF EXISTS ${owner}`,
      ]),
  };
}

/**
 * Returns SQL that creates a role unless it exists: roles belong to the server, so other databases may have created it.
 */
function createGroupRole(name: string): string {
  return `DO $$ BEGIN CREATE ROLE ${name} NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`;
}

async function asSuperuser(database: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: dsnOf(database) });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

function dsnOf(database: string, login?: { username: string; password: string }): string {
  const url = new URL(serviceSetting('CATALOG_TEST_POSTGRES_DSN'));
  url.pathname = `/${database}`;
  return Object.assign(url, login).href;
}
