import { AsyncLocalStorage } from 'node:async_hooks';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Availability } from '@catalog/core/ports/availability';
import type { SchemaStep } from '@catalog/core/ports/schema-step';
import type { Store } from '@catalog/core/ports/store';
import { now } from '../../clock.ts';
import type { Reads } from '../shared/queries.ts';
import { createLocalLocks } from '../local-locks.ts';
import { createLocalQuotaLeases } from '../local-quota-leases.ts';
import { openConnection, type Run } from './connection/connection.ts';
import { embeddings } from './vectors/embeddings.ts';
import { createPostingsCache } from './search/postings-cache.ts';
import { migrate } from './migrations/migrate.ts';
import type { RunnableStep } from '../shared/frozen-step.ts';
import { migrations as released } from './migrations/table.ts';
import { createMutex } from './connection/mutex.ts';
import { openFile, type OpenFile } from './connection/open-file.ts';
import { queriesOver, runOver } from './connection/queries.ts';
import { loadRevisions, readRevision } from './revisions.ts';
import { translateError } from './connection/sqlite-error.ts';
import { storeReads, storeWrites } from './sub-stores.ts';
import {
  beginTransaction,
  type Durability,
  type OpenTransaction,
  type Unit,
} from './transaction.ts';
import { createVectorMirrors } from './vectors/mirrors.ts';
import { vectorIndex } from './vectors/vectors.ts';

export interface SqliteStoreOptions {
  /** Path of the file, which is created with its directory. `:memory:` is not persistent. */
  path: string;
  /** Memory limit for the vectors of a model; vectors that do not fit are read from the file. */
  vector_bytes?: number;
  migrations?: readonly RunnableStep[];
  onStep?: ((step: SchemaStep) => void) | undefined;
}

/**
 * Opens the store in a SQLite file. Rejects a file that another process uses, that a newer release wrote, or that is
 * not a store.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { path, vector_bytes, migrations = released, onStep } = options;
  const file =
    path === ':memory:' ? openMemory(migrations) : await openFile(path, migrations, onStep);
  const revisions = loadRevisions(file.writer);
  const mutex = createMutex();
  const snapshots = createMutex();
  const current = new AsyncLocalStorage<OpenTransaction>();
  const listeners = new Set<() => void>();
  const mirrors = createVectorMirrors(vector_bytes);
  const kept = createPostingsCache();
  let closed = false;

  const read: Run = async (step) => {
    if (closed) throw storeClosed();
    try {
      return step(file.reader);
    } catch (error) {
      throw translateError(error);
    }
  };

  /** A store in memory has one connection, so reads wait for the transaction in progress. */
  const readAfterTransaction: Run = async (step) => {
    refuseInside(current.getStore(), 'A read waits for the transaction it is called from.');
    return mutex.run(() => read(step));
  };

  /** Runs consistent reads one after the other, because they share a connection. */
  async function readConsistently<Result>(work: (run: Run) => Promise<Result>): Promise<Result> {
    if (file.reader === file.writer) {
      refuseInside(current.getStore(), 'A read waits for the transaction it is called from.');
      return mutex.run(() => work(read));
    }
    return snapshots.run(async () => {
      if (closed) throw storeClosed();
      const connection = file.snapshot();
      connection.exec('BEGIN');
      try {
        return await work(async (step) => step(connection));
      } catch (error) {
        throw translateError(error);
      } finally {
        connection.exec('COMMIT');
      }
    });
  }

  async function runUnit<Result>(
    work: (transaction: OpenTransaction) => Promise<Result>,
    durability: Durability | undefined,
  ): Promise<Result> {
    if (closed) throw storeClosed();
    const transaction = beginTransaction(file.writer, revisions, durability);
    let result: Result;
    try {
      result = await current.run(transaction, work, transaction);
      transaction.commit();
    } catch (error) {
      transaction.rollback();
      throw error;
    }
    mirrors.apply(transaction.vectorChanges());
    kept.forget(transaction.changedPostings());
    // A listener that throws must not make a committed transaction look failed.
    if (transaction.announced()) for (const listener of listeners) queueMicrotask(listener);
    return result;
  }

  const unit: Unit = async (work, durability) => {
    refuseInside(current.getStore(), 'A transaction was started inside another one.');
    return mutex.run(() => runUnit(work, durability));
  };

  const run = file.reader === file.writer ? readAfterTransaction : read;
  const reads: Reads = {
    run: runOver(run),
    together: (_tenant, step) => readConsistently((moment) => step(queriesOver(moment))),
  };
  const stored = storeReads(run, reads, async (tenant) => revisions.get(tenant) ?? 0, kept);
  return {
    ...stored,
    together: (_tenant, work) =>
      readConsistently((moment) => {
        const shared = runOver(moment);
        const inside: Reads = { run: shared, together: shared };
        return work(storeReads(moment, inside, (tenant) => readRevision(moment, tenant)));
      }),
    locks: createLocalLocks(),
    quota: createLocalQuotaLeases(),
    vectors: vectorIndex(run, unit, { mirrors, kept }),
    embeddings: embeddings(run, unit),
    transaction: (work) =>
      unit((transaction) =>
        work(storeWrites(transaction, async (tenant) => transaction.revision(tenant))),
      ),
    onCommit(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    now,
    availability: () => READY,
    onNotice: () => () => undefined,
    servers: () => [],
    probe: () => read((connection) => void connection.statement('SELECT 1 FROM migrations').get()),
    close: () =>
      mutex.run(async () => {
        if (closed) return;
        closed = true;
        await snapshots.run(() => file.close());
      }),
  };
}

const READY: Availability = { mode: 'ready' };

function openMemory(migrations: readonly RunnableStep[]): OpenFile {
  const connection = openConnection(':memory:', { read_only: false });
  migrate(connection, ':memory:', migrations);
  return {
    reader: connection,
    writer: connection,
    snapshot: () => connection,
    close: () => connection.close(),
  };
}

/** Throws if a transaction calls the store, which would wait for that transaction forever. */
function refuseInside(transaction: OpenTransaction | undefined, message: string): void {
  if (transaction?.isOpen() === true) throw new Error(message);
}

function storeClosed(): CatalogError {
  return new CatalogError('registry.unavailable', 'The metadata store is closed.');
}
