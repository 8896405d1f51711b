import type { StoreIdentity } from '@catalog/core/ports/identity';

export type OwnerProblem =
  | 'foreign'
  /** The database is a copy, or was restored or promoted while no registry was running. */
  | 'moved'
  /** The database claimed a bucket before, but this bucket has no owner. */
  | 'unclaimed';

export type OwnerDecision =
  | OwnerProblem
  | 'owned'
  /** The database claims an object store without an owner: its first bucket, or any directory. */
  | 'claim'
  /** The object store has the former identity of the database and gets the new one. */
  | 'follow'
  /** The read came from a standby, which cannot show if the database was moved. */
  | 'unknown';

interface Known {
  store: StoreIdentity;
  owner: string | undefined;
  /** True for a bucket, which all processes of a registry share. */
  is_shared: boolean;
  /** Identity that this process has already found in both stores. */
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
