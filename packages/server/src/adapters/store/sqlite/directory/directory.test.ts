import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';
import { findStatements, PAGE_AFTER } from '../../shared/directory.ts';
import { dialect } from '../dialect.ts';
import {
  IS_GIVEN_UP,
  STANDING_BY_EXTERNAL_ID,
  STANDING_BY_NAME,
  STANDING_GROUPS,
} from './directory-standing.ts';
import { openSqliteStore } from '../open-store.ts';
import { translateSql } from '../connection/translate-sql.ts';

const FIND = findStatements(dialect);

const RESOURCES = 'SEARCH directory_resources USING INDEX';

test('directory lookups use keys, regardless of the size of the directory', async () => {
  const path = join(temporaryFolder(), 'catalog.db');
  await (await openSqliteStore({ path })).close();
  const database = new DatabaseSync(path);
  onTestFinished(() => database.close());
  const planOf = (sql: string): string[] =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${translateSql(sql)}`)
      .all()
      .map(({ detail }) => String(detail));
  const by_name = `${RESOURCES} directory_names (tenant=? AND kind=? AND name_key=?)`;
  const by_external_id = `${RESOURCES} directory_external_ids (tenant=? AND kind=? AND external_id=?)`;
  const by_id = 'USING PRIMARY KEY (tenant=? AND kind=? AND id=?)';
  const groups = 'SEARCH m USING COVERING INDEX directory_groups_of_user (tenant=? AND user_id=?)';
  expect(planOf(STANDING_BY_NAME)).toEqual([by_name]);
  expect(planOf(STANDING_BY_EXTERNAL_ID)).toEqual([by_external_id]);
  expect(planOf(STANDING_GROUPS)).toEqual([groups, `SEARCH g ${by_id}`]);
  expect(planOf(IS_GIVEN_UP)).toEqual([
    'SEARCH directory_given_up USING PRIMARY KEY (tenant=? AND kind=? AND name=?)',
  ]);
  expect(planOf(FIND.id)).toEqual([`SEARCH directory_resources ${by_id}`]);
  expect(planOf(FIND.name_key)).toEqual([by_name]);
  expect(planOf(FIND.external_id)).toEqual([by_external_id]);
  expect(planOf(FIND.member).slice(0, 2)).toEqual([groups, `SEARCH r ${by_id}`]);
  expect(planOf(PAGE_AFTER)).toEqual([
    'SEARCH directory_resources USING PRIMARY KEY (tenant=? AND kind=? AND id>?)',
  ]);
});
