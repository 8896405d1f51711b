import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';
import { translateSql } from './connection/translate-sql.ts';
import { dialect } from './dialect.ts';
import { openSqliteStore } from './open-store.ts';

test('FINISH_DISPATCHES looks up dispatches by key, regardless of their number', async () => {
  const path = join(temporaryFolder(), 'catalog.db');
  await (await openSqliteStore({ path })).close();
  const database = new DatabaseSync(path);
  onTestFinished(() => database.close());
  const plan = database
    .prepare(`EXPLAIN QUERY PLAN ${translateSql(dialect.FINISH_DISPATCHES)}`)
    .all()
    .map(({ detail }) => String(detail));
  expect(plan.filter((step) => step.includes('dispatches'))).toEqual([
    expect.stringContaining('(tenant=? AND receiver=? AND dispatch=?)'),
  ]);
});
