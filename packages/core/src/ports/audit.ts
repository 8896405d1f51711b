import type { AuditRecord } from '../audit/audit-record.ts';
import type { Frontier, TreeHash } from '../audit/merkle-tree.ts';
import type { ErasedValues, PersonValues, SealedFields } from '../audit/seal-record.ts';
import type { Tenant } from './tenant.ts';

export type { AuditRecord };

export interface NumberedRecord {
  position: number;
  record: AuditRecord;
}

/** Record as it is stored: with commitments, and with the values that they commit to. */
export interface StoredRecord {
  position: number;
  record: SealedFields;
  /** Null in records of earlier releases, which have no commitments. */
  leaf_hash: TreeHash | null;
  values: readonly (PersonValues | ErasedValues)[];
}

/** Merkle tree over consecutive records of a tenant. */
export interface AuditTree extends Frontier {
  /** Random, so that no other tree has the same name. */
  origin: string;
  /** Position of the first leaf. */
  first: number;
}

/** Last signed checkpoint of a tenant, with the tree that it covers. */
export interface StoredCheckpoint extends AuditTree {
  /** Position of the last record that it covers. */
  position: number;
  /** Number of the object that contains it. */
  number: number;
  /** Signed checkpoint. */
  note: string;
}

/** Tree of a tenant with records that no checkpoint covers. */
export interface TreeChange {
  tenant: Tenant;
  tree: AuditTree;
  /** Position of the last record. */
  position: number;
  checkpoint: StoredCheckpoint | undefined;
  /** Leaf hashes after the checkpoint, or from the start of another tree. */
  leaves: readonly TreeHash[];
}

export interface AuditReads {
  list(tenant: Tenant, after: number, limit: number): Promise<NumberedRecord[]>;
  /** Lists records before a position, newest first; all if it is undefined. */
  listNewest(tenant: Tenant, before: number | undefined, limit: number): Promise<NumberedRecord[]>;
  listStored(tenant: Tenant, after: number, limit: number): Promise<StoredRecord[]>;
  /** Returns undefined before the first record, and while earlier releases append records. */
  getTree(tenant: Tenant): Promise<AuditTree | undefined>;
  /** Returns the highest number of an object that a checkpoint of any tenant names, or 0. */
  getLastCheckpointNumber(): Promise<number>;
  getCheckpoint(tenant: Tenant): Promise<StoredCheckpoint | undefined>;
  /**
   * Lists trees that differ from their last checkpoint, of all tenants after `after`, each with at
   * most `max_leaves` new leaves.
   */
  listChanges(after: Tenant, limit: number, max_leaves: number): Promise<TreeChange[]>;
}

export interface AuditWrites extends AuditReads {
  /**
   * Seals the records and appends them to the tree of the tenant. Call it in the transaction of the
   * recorded change.
   */
  append(tenant: Tenant, records: readonly AuditRecord[]): Promise<void>;
  /**
   * Starts a new tree with the given record, which also gets the number of all earlier records and
   * the root hash over them.
   */
  startTree(tenant: Tenant, record: AuditRecord): Promise<AuditTree>;
  /** Replaces the last checkpoints of several tenants. */
  putCheckpoints(checkpoints: readonly (StoredCheckpoint & { tenant: Tenant })[]): Promise<void>;
  /**
   * Replaces the values of users by a pseudonym, at most `limit` at a time. Returns how many were
   * replaced. Commitments and proofs stay valid.
   */
  redact(
    tenant: Tenant,
    users: readonly string[],
    pseudonym: string,
    limit: number,
  ): Promise<number>;
}
