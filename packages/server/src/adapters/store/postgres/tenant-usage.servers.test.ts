import { fillUsage } from '@catalog/core/conformance/tenants/fill-usage.conformance';
import { openForTest, T2 } from '@catalog/core/conformance/samples.conformance';
import { createDatabase, dropDatabase, prepareTemplate } from '@catalog/testkit/postgres-database';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { migrations } from './migrations/table.ts';
import { openPostgresStore } from './open-store.ts';

async function alter(dsn: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: dsn });
  await client.connect();
  await client.query(sql);
  await client.end();
}

test('usage includes rows from before the migration while a program without counting runs', async () => {
  // Creates the role of the program, which the steps of this test do not.
  await prepareTemplate();
  const { name, dsn, migration_dsn } = await createDatabase();
  onTestFinished(() => dropDatabase(name));
  const uncounted = migrations.slice(
    0,
    migrations.findIndex((migration) => migration.name === 'usage'),
  );
  const before = await openForTest(() =>
    openPostgresStore({ dsn, migration_dsn, migrations: uncounted }),
  );
  await alter(migration_dsn, 'ALTER TABLE catalog.versions ADD COLUMN source_commit text');
  await alter(migration_dsn, 'ALTER TABLE catalog.layers ADD COLUMN frozen_since timestamptz');
  const used = await fillUsage(before);
  await alter(migration_dsn, 'ALTER TABLE catalog.versions DROP COLUMN source_commit');
  await alter(migration_dsn, 'ALTER TABLE catalog.layers DROP COLUMN frozen_since');
  const store = await openForTest(() => openPostgresStore({ dsn, migration_dsn }));
  expect(await store.tenants.usage(1, T2)).toEqual(used);
  const [layer] = await before.layers.list(1);
  await before.transaction(({ layers }) => layers.purge(1, layer?.number ?? 0));
  expect(await store.tenants.usage(1, T2)).toEqual({
    ...used,
    storage_bytes: used.storage_bytes / 2,
    artifact_count: 0,
  });
});
