import type { IssuerKeys, IssuerReads, IssuerWrites } from '@catalog/core/ports/issuers';
import { NO_TENANT, type Run, type Transaction } from './queries.ts';
import { columnNames, insertInto, parametersOf, plainTable, readRow } from './table.ts';
import type { Sql } from './sql.ts';

const ISSUER_KEYS = plainTable('issuer_keys');
const GET: Sql<IssuerKeys> = `SELECT ${columnNames(ISSUER_KEYS)} FROM issuer_keys WHERE issuer = $1`;
const PUT = insertInto(
  ISSUER_KEYS,
  `ON CONFLICT (issuer) DO UPDATE
    SET issuers = excluded.issuers, keys = excluded.keys, fetched_at = excluded.fetched_at
    WHERE issuer_keys.fetched_at < excluded.fetched_at`,
);

export function issuerReads(run: Run): IssuerReads {
  return {
    get: (issuer) =>
      run(NO_TENANT, async (queries) => {
        const row = await queries.row(GET, issuer);
        return row && readRow(ISSUER_KEYS, row);
      }),
  };
}

export function issuerWrites({ beside }: Transaction): IssuerWrites {
  return {
    ...issuerReads(beside),
    put: (keys) =>
      beside(NO_TENANT, async (queries) => {
        await queries.run(PUT, ...parametersOf(ISSUER_KEYS, keys));
      }),
  };
}
