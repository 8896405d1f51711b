import type { KeySetReads, KeySetWrites } from '@catalog/core/ports/key-sets';
import type { PlainRows } from '@catalog/core/ports/plain-tables';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import type { Run, Transaction } from './queries.ts';
import type { Sql } from './sql.ts';
import { columnNames, plainTable, readRow } from './table.ts';

const KEY_SETS = plainTable('key_sets');
const LIST: Sql<PlainRows['key_sets']> = `SELECT ${columnNames(KEY_SETS)} FROM key_sets
  WHERE tenant = $1 ORDER BY version`;

/** The only tenant owns what a registry has once, such as the layers of its configuration. */
const OWNER = ONLY_TENANT;

export function keySetReads(run: Run): KeySetReads {
  return {
    list: () =>
      run(OWNER, async (queries) => {
        const rows = await queries.rows(LIST, OWNER);
        return rows.map((row) => {
          const { tenant: _tenant, ...set } = readRow(KEY_SETS, row);
          return set;
        });
      }),
  };
}

export function keySetWrites({ run }: Transaction): KeySetWrites {
  return {
    ...keySetReads(run),
    add: (set) =>
      run(OWNER, async (queries) => {
        await queries.insert(KEY_SETS, [{ tenant: OWNER, ...set }]);
      }),
  };
}
