import type { StoreIdentity } from '@catalog/core/ports/identity';

export type OwnerProblem =
  | 'foreign'
  /** The database is a copy, or was restored or promoted while no registry was running. */
  | 'moved'
  /** The database had a bucket before, but this bucket has no owner. */
  | 'unclaimed';

export type OwnerDecision =
  | OwnerProblem
  | 'owned'
  /** The object store has no owner and is the first bucket of the database, or a directory. */
  | 'claim'
  /** The object store has the former identity of the database. */
  | 'follow'
  /** The identity was read from a standby, which cannot show whether the database was moved. */
  | 'unknown';

interface Known {
  store: StoreIdentity;
  owner: string | undefined;
  /** True for a bucket, which all processes of a registry share. */
  is_shared: boolean;
  /** Last identity that this process found in both stores. */
  watched: string | undefined;
}

export function decideOwner({ store, owner, is_shared, watched }: Known): OwnerDecision {
  const { identity, object_store_identity, origin } = store;
  if (origin === 'unknown') return 'unknown';
  if (origin === 'changed' && watched !== identity) return 'moved';
  if (owner === identity) return 'owned';
  if (owner === undefined) {
    return is_shared && object_store_identity !== null ? 'unclaimed' : 'claim';
  }
  return owner === object_store_identity ? 'follow' : 'foreign';
}
