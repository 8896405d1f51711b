import { DatabaseSync } from 'node:sqlite';
import type { Settings } from '@catalog/server/config/settings';
import { Client } from 'pg';
import { serviceSetting } from './services.ts';

/** Runs SQL without the registry, as the owner, to whom row-level security does not apply. */
export async function runDirectSql(settings: Partial<Settings>, sql: string): Promise<void> {
  const { 'store.dsn': dsn, 'store.sqlite_path': path = '' } = settings;
  if (dsn === undefined) {
    const database = new DatabaseSync(path);
    database.exec(sql);
    database.close();
    return;
  }
  const owner = new URL(serviceSetting('CATALOG_TEST_POSTGRES_DSN'));
  owner.pathname = new URL(dsn).pathname;
  const client = new Client({
    connectionString: owner.href,
    options: '-c search_path=catalog',
  });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
