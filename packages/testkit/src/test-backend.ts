import { join } from 'node:path';
import type { Settings } from '@catalog/server/config/settings';
import { createDatabase, dropDatabase, prepareTemplate } from './postgres-database.ts';
import { openTestBucket } from './s3-bucket.ts';

/** What a registry under test stands on. */
export interface TestBackend {
  settings: Partial<Settings>;
  /** Takes it away, once the registry is closed. */
  close(): Promise<void>;
}

/** `CATALOG_TEST_BACKEND=standard` runs the same tests on PostgreSQL and S3 that run on SQLite and a folder without it. */
export const IS_STANDARD = process.env['CATALOG_TEST_BACKEND'] === 'standard';

/** For tests of a folder of objects, which the registry itself serves. */
export const OBJECTS_IN_A_FOLDER = { 'object_store.type': 'filesystem' } as const;

/** A new store: a file and a folder, or a database and a part of the bucket of the tests. */
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
