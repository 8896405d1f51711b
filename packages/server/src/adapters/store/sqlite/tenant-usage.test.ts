import { DatabaseSync } from 'node:sqlite';
import { fillUsage } from '@catalog/core/conformance/tenants/fill-usage.conformance';
import { openForTest, T2 } from '@catalog/core/conformance/samples.conformance';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, test } from 'vitest';
import { migrations } from './migrations/table.ts';
import { openSqliteStore } from './open-store.ts';

function alter(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

test('usage includes rows from before the migration', async () => {
  const path = `${temporaryFolder()}/registry.db`;
  const uncounted = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name === 'usage'),
  );
  const before = await openSqliteStore({ path, migrations: uncounted });
  alter(path, 'ALTER TABLE versions ADD COLUMN source_commit TEXT');
  alter(path, 'ALTER TABLE layers ADD COLUMN frozen_since TEXT');
  const used = await fillUsage(before);
  await before.close();
  alter(path, 'ALTER TABLE versions DROP COLUMN source_commit');
  alter(path, 'ALTER TABLE layers DROP COLUMN frozen_since');
  const store = await openForTest(() => openSqliteStore({ path }));
  expect(await store.tenants.usage(1, T2)).toEqual(used);
});
