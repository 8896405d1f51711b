import { migrate } from '@catalog/server/adapters/store/postgres/migrations/migrate';
import { migrations } from '@catalog/server/adapters/store/postgres/migrations/table';
import { Client } from 'pg';

const NAME = 'catalog';
const PROGRAM = 'catalog_program_of_cluster';
const PASSWORD = 'catalog';

export async function createClusterDatabase(admin_dsn: string): Promise<void> {
  await query(admin_dsn, `CREATE DATABASE ${NAME}`);
  await migrate(at(admin_dsn, NAME), migrations);
  await query(
    admin_dsn,
    `CREATE ROLE ${PROGRAM} LOGIN PASSWORD '${PASSWORD}' IN ROLE catalog_program`,
  );
}

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
