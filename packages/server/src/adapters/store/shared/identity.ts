import type { IdentityReads, IdentityWrites, StoreIdentity } from '@catalog/core/ports/identity';
import type { Dialect } from './dialect.ts';
import { NO_TENANT, type Queries, type Run, type Transaction } from './queries.ts';

const CLAIM_OBJECT_STORE =
  'UPDATE store_identity SET object_store_identity = identity WHERE identity = $1';

export function identityReads(run: Run, dialect: Dialect): IdentityReads {
  return { get: () => run(NO_TENANT, (queries) => read(queries, dialect)) };
}

export function identityWrites({ beside }: Transaction, dialect: Dialect): IdentityWrites {
  const change = (sql: string, ...parameters: string[]): Promise<StoreIdentity> =>
    beside(NO_TENANT, async (queries) => {
      await queries.run(sql, ...parameters);
      const row = await read(queries, dialect);
      if (row === undefined) throw new Error('The store has no identity.');
      return row;
    });
  return {
    ...identityReads(beside, dialect),
    create: (identity) => change(dialect.CREATE_STORE_IDENTITY, identity),
    renew: (from, identity) => change(dialect.RENEW_STORE_IDENTITY, from, identity),
    claimObjectStore: (identity) => change(CLAIM_OBJECT_STORE, identity),
  };
}

async function read(queries: Queries, dialect: Dialect): Promise<StoreIdentity | undefined> {
  const row = await queries.row(dialect.STORE_IDENTITY);
  return row && { ...row };
}
