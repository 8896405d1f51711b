import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Sql } from '../shared/sql.ts';
import type { Connection, Run } from './connection/connection.ts';
import type { PostingsKey } from './search/kept-postings.ts';
import { translateError } from './connection/sqlite-error.ts';
import type { VectorChange } from './vectors/rows.ts';

/** One running transaction, as the sub-stores that write see it. */
export interface Transaction {
  /** A step on the writing connection; refused once the transaction has ended or a step of it failed. */
  run: Run;
  /** What the tenant's layers are or serve has changed: `layers.revision` rises with the commit. */
  touchTenant(tenant: Tenant): void;
  /** As above, and the layer's own revision rises, once in a transaction however often this is called. */
  touchLayer(tenant: Tenant, layer: LayerNumber): Promise<void>;
  /** Events were appended, or jobs queued or ended: those who wait are called after the commit. */
  announce(): void;
  /** Vectors changed: what mirrors them in memory is told after the commit. */
  noteVectors(changes: readonly VectorChange[]): void;
  /** Documents of a layer changed: what is kept of their postings is forgotten after the commit. */
  notePostings(key: PostingsKey): void;
}

/** Whether a commit is on the disk when it returns; either way nothing is ever half there. */
export type Durability = 'flushed' | 'unflushed';

/**
 * Runs `work` in a transaction of its own. What is worked out again when the machine dies need not be
 * flushed: its commit waits for no disk.
 */
export type Unit = <Result>(
  work: (transaction: OpenTransaction) => Promise<Result>,
  durability?: Durability,
) => Promise<Result>;

/** A transaction, as the store that began it sees it. */
export interface OpenTransaction extends Transaction {
  /** The tenant's revision as this transaction sees it. */
  revision(tenant: Tenant): number;
  isOpen(): boolean;
  announced(): boolean;
  vectorChanges(): readonly VectorChange[];
  changedPostings(): readonly PostingsKey[];
  /** Durable when it returns. Throws, with everything undone, when a step failed or the disk does not take it. */
  commit(): void;
  rollback(): void;
}

/**
 * Rises with every change. It follows the clock, so that a copy of the file that went its own way, such
 * as a backup that was restored, does not come by the same number for something else.
 */
const RAISE_REVISION = `
  UPDATE layer_numbers
  SET revision = max(revision + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
  WHERE tenant = ? AND number = ?`;

const RAISE_TENANT: Sql<{ revision: number }> =
  `INSERT INTO tenants (tenant, revision) VALUES ($1, 1)
  ON CONFLICT (tenant) DO UPDATE SET revision = revision + 1 RETURNING revision`;

/** A commit that is flushed takes with it all that were not. */
const BEGIN: Readonly<Record<Durability, string>> = {
  flushed: 'PRAGMA synchronous = FULL; BEGIN IMMEDIATE',
  unflushed: 'PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE',
};

/** Begins a transaction; `committed` holds the revision of each tenant and learns of new ones. */
export function beginTransaction(
  connection: Connection,
  committed: Map<Tenant, number>,
  durability: Durability = 'flushed',
): OpenTransaction {
  const tenants = new Set<Tenant>();
  const layers = new Set<string>();
  let open = true;
  let announced = false;
  const vectors: VectorChange[] = [];
  const postings: PostingsKey[] = [];
  let failure: Error | undefined;

  const run: Run = async (step) => {
    if (!open) throw new Error('The transaction has ended.');
    if (failure !== undefined) throw failure;
    try {
      return step(connection);
    } catch (error) {
      // SQLite may have undone everything by itself; whatever came next would stand alone.
      failure = translateError(error);
      throw failure;
    }
  };

  function rollback(): void {
    open = false;
    if (connection.inTransaction()) connection.exec('ROLLBACK');
  }

  try {
    connection.exec(BEGIN[durability]);
  } catch (error) {
    throw translateError(error);
  }
  return {
    run,
    touchTenant: (tenant) => void tenants.add(tenant),
    async touchLayer(tenant, layer) {
      tenants.add(tenant);
      const key = `${tenant} ${layer}`;
      if (layers.has(key)) return;
      layers.add(key);
      await run((on) => {
        on.statement(RAISE_REVISION).run(tenant, layer);
      });
    },
    announce: () => void (announced = true),
    noteVectors(changes) {
      for (const change of changes) vectors.push(change);
    },
    notePostings: (key) => void postings.push(key),
    revision: (tenant) => (committed.get(tenant) ?? 0) + Number(tenants.has(tenant)),
    isOpen: () => open,
    announced: () => announced,
    vectorChanges: () => vectors,
    changedPostings: () => postings,
    commit() {
      if (failure !== undefined) {
        rollback();
        throw failure;
      }
      const raised: [Tenant, number][] = [];
      try {
        for (const tenant of tenants) {
          const row = connection.statement(RAISE_TENANT).get(tenant);
          if (row !== undefined) raised.push([tenant, row.revision]);
        }
        connection.exec('COMMIT');
      } catch (error) {
        rollback();
        throw translateError(error);
      }
      open = false;
      for (const [tenant, revision] of raised) committed.set(tenant, revision);
    },
    rollback,
  };
}
