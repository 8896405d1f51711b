import { migrate } from '@catalog/server/adapters/store/postgres/migrations/migrate';
import { migrations } from '@catalog/server/adapters/store/postgres/migrations/table';
import { Client } from 'pg';

const NAME = 'catalog';
const PROGRAM = 'catalog_program_of_cluster';
const PASSWORD = 'catalog';

/** Makes the registry's database on a server of the caller's own; its standbys get it from there. */
export async function createClusterDatabase(admin_dsn: string): Promise<void> {
  await query(admin_dsn, `CREATE DATABASE ${NAME}`);
  await migrate(at(admin_dsn, NAME), migrations);
  await query(
    admin_dsn,
    `CREATE ROLE ${PROGRAM} LOGIN PASSWORD '${PASSWORD}' IN ROLE catalog_program`,
  );
}

/** The program's way to that database, on whichever server of the cluster. */
export function clusterDsn(admin_dsn: string): string {
  const url = new URL(at(admin_dsn, NAME));
  url.username = PROGRAM;
  url.password = PASSWORD;
  return url.href;
}

function at(dsn: string, database: string): string {
  const url = new URL(dsn);
  url.pathname = `/${database}`;
  return url.href;
}

async function query(dsn: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: dsn });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
