import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Sql } from '../shared/sql.ts';
import type { Connection, Run } from './connection/connection.ts';
import type { PostingsKey } from './search/postings-cache.ts';
import { translateError } from './connection/sqlite-error.ts';
import type { VectorChange } from './vectors/rows.ts';

export interface Transaction {
  /** Runs a step. Throws after the transaction has ended or a step has failed. */
  run: Run;
  touchTenant(tenant: Tenant): void;
  touchLayer(tenant: Tenant, layer: LayerNumber): Promise<void>;
  announce(): void;
  /** Records changes of vectors. The copies in memory are updated after the commit. */
  noteVectors(changes: readonly VectorChange[]): void;
  /** Records a changed layer. Its cached postings are removed after the commit. */
  notePostings(key: PostingsKey): void;
}

/** Whether a commit is flushed to disk. A commit is atomic in both cases. */
export type Durability = 'flushed' | 'unflushed';

/** Runs a transaction. Derived data that can be computed again after a crash need not be flushed. */
export type Unit = <Result>(
  work: (transaction: OpenTransaction) => Promise<Result>,
  durability?: Durability,
) => Promise<Result>;

export interface OpenTransaction extends Transaction {
  revision(tenant: Tenant): number;
  isOpen(): boolean;
  announced(): boolean;
  vectorChanges(): readonly VectorChange[];
  changedPostings(): readonly PostingsKey[];
  /** Commits the transaction. Rolls back and throws if a step failed or the disk rejects the write. */
  commit(): void;
  rollback(): void;
}

/**
 * The revision follows the clock, so that a restored copy of the file never uses a number twice for different content.
 */
const RAISE_REVISION = `
  UPDATE layer_numbers
  SET revision = max(revision + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
  WHERE tenant = ? AND number = ?`;

const RAISE_TENANT: Sql<{ revision: number }> =
  `INSERT INTO tenants (tenant, revision) VALUES ($1, 1)
  ON CONFLICT (tenant) DO UPDATE SET revision = revision + 1 RETURNING revision`;

/** A flushed commit also makes all earlier unflushed ones durable. */
const BEGIN: Readonly<Record<Durability, string>> = {
  flushed: 'PRAGMA synchronous = FULL; BEGIN IMMEDIATE',
  unflushed: 'PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE',
};

/** Begins a transaction. Its commit updates `committed`, the revision of each tenant. */
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
      // SQLite may have already rolled back.
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
