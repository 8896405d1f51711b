import type { StoreIdentity } from '@catalog/core/ports/identity';

/** Why a registry must not write to its object store. */
export type OwnerProblem =
  /** The object store belongs to another database. */
  | 'foreign'
  /** The database is a copy, or was restored or promoted while no registry watched. */
  | 'moved'
  /** The database has claimed a bucket before, and this one has no owner. */
  | 'unclaimed';

export type OwnerDecision =
  | OwnerProblem
  /** The object store belongs to the database. */
  | 'owned'
  /** The database claims an object store without an owner: its first bucket, or any directory. */
  | 'claim'
  /** The object store holds the former identity of the database, which was renewed: it gets the new one. */
  | 'follow'
  /** A standby does not show whether the database was moved. */
  | 'unknown';

interface Known {
  store: StoreIdentity;
  /** The owner that the object store records. */
  owner: string | undefined;
  /** Whether the object store is a bucket, which all processes of a registry share. */
  is_shared: boolean;
  /** Identity that this process has found in both stores before. */
  watched: string | undefined;
}

/** Decides whether the object store belongs to the database. */
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
