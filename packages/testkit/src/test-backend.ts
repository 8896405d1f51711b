import { join } from 'node:path';
import type { Settings } from '@catalog/server/config/settings';
import { createDatabase, dropDatabase, prepareTemplate } from './postgres-database.ts';
import { openTestBucket } from './s3-bucket.ts';

export interface TestBackend {
  settings: Partial<Settings>;
  close(): Promise<void>;
}

/** True for tests on PostgreSQL and S3 instead of SQLite and a folder. */
export const IS_STANDARD = process.env['CATALOG_TEST_BACKEND'] === 'standard';

/** Settings with which the registry itself serves objects. */
export const OBJECTS_IN_A_FOLDER = { 'object_store.type': 'filesystem' } as const;

export async function openTestBackend(folder: string): Promise<TestBackend> {
  const standalone = {
    'store.sqlite_path': join(folder, 'catalog.db'),
    'object_store.filesystem_root': join(folder, 'objects'),
  };
  if (!IS_STANDARD) return { settings: standalone, close: async () => undefined };
  const { name, dsn } = await createDatabase(await prepareTemplate());
  const bucket = await openTestBucket();
  const store = { 'store.type': 'postgres', 'store.dsn': dsn, 'store.pool_size': 4 } as const;
  return {
    settings: { ...standalone, ...store, ...bucket.settings },
    async close() {
      await dropDatabase(name);
      await bucket.empty();
    },
  };
}
