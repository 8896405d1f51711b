import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { serviceSetting } from './services.ts';

/** Has the roles of docs/operations/install.md, under unique names. */
export interface DocumentedDatabase {
  /** Role of the registry. */
  dsn: string;
  /** Owner of the schema, who is not a superuser. */
  migration_dsn: string;
  superuser_dsn: string;
  drop(): Promise<void>;
}

/** Follows the steps of the install page. */
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

/** Creates a missing role. Roles belong to the server, so other databases may have created them. */
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
