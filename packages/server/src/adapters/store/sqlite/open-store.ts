import { AsyncLocalStorage } from 'node:async_hooks';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Availability } from '@catalog/core/ports/availability';
import type { Store } from '@catalog/core/ports/store';
import { createLocalLocks } from '../local-locks.ts';
import { createLocalQuotaLeases } from '../local-quota-leases.ts';
import { openConnection, type Run } from './connection.ts';
import { embeddings } from './embeddings.ts';
import { createKeptPostings } from './kept-postings.ts';
import { migrate } from './migrations/migrate.ts';
import type { Migration } from './migrations/migration.ts';
import { migrations as released } from './migrations/table.ts';
import { createMutex } from './mutex.ts';
import { openFile, type OpenFile } from './open-file.ts';
import { loadRevisions } from './revisions.ts';
import { translateError } from './sqlite-error.ts';
import { storeReads, storeWrites } from './sub-stores.ts';
import {
  beginTransaction,
  type Durability,
  type OpenTransaction,
  type Unit,
} from './transaction.ts';
import { createVectorMirrors } from './vector-mirrors.ts';
import { vectorIndex } from './vectors.ts';

export interface SqliteStoreOptions {
  /** The file; it and its folder are made when they are not there. `:memory:` keeps nothing. */
  path: string;
  /** Memory for the vectors of one model; those without room are searched in the file. */
  vector_bytes?: number;
  /** The steps of the schema, where a test brings its own. */
  migrations?: readonly Migration[];
}

/**
 * The metadata store in one SQLite file: one process, one writer at a time, readers beside it. Refuses
 * a file that another process serves, that a newer release wrote, or that is no store.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { path, vector_bytes, migrations = released } = options;
  const file = path === ':memory:' ? openMemory(migrations) : await openFile(path, migrations);
  const revisions = loadRevisions(file.writer);
  const mutex = createMutex();
  const current = new AsyncLocalStorage<OpenTransaction>();
  const listeners = new Set<() => void>();
  const mirrors = createVectorMirrors(vector_bytes);
  const kept = createKeptPostings();
  let closed = false;

  const read: Run = async (step) => {
    if (closed) throw storeClosed();
    try {
      return step(file.reader);
    } catch (error) {
      throw translateError(error);
    }
  };

  /** In memory there is one connection, so what is read from outside waits for the running transaction. */
  const readInTurn: Run = async (step) => {
    refuseInside(current.getStore(), 'A read waits for the transaction it is called from.');
    return mutex.run(() => read(step));
  };

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

  const run = file.reader === file.writer ? readInTurn : read;
  const stored = storeReads(run, { get: (tenant) => revisions.get(tenant) ?? 0 }, kept);
  return {
    ...stored,
    // One file: a later read is never older than an earlier one.
    together: (_tenant, work) => work(stored),
    locks: createLocalLocks(),
    quota: createLocalQuotaLeases(),
    vectors: vectorIndex(run, unit, { mirrors, kept }),
    embeddings: embeddings(run, unit),
    transaction: (work) =>
      unit((transaction) => work(storeWrites(transaction, transaction.revisions))),
    onCommit(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    // One process and its file: there is nothing else to read from, or to be told of.
    availability: () => READY,
    onNotice: () => () => undefined,
    servers: () => [],
    probe: () => read((connection) => void connection.statement('SELECT 1 FROM migrations').get()),
    close: () =>
      mutex.run(() => {
        if (closed) return;
        closed = true;
        file.close();
      }),
  };
}

const READY: Availability = { mode: 'ready' };

function openMemory(migrations: readonly Migration[]): OpenFile {
  const connection = openConnection(':memory:', { read_only: false });
  migrate(connection, ':memory:', migrations);
  return { reader: connection, writer: connection, close: () => connection.close() };
}

/** What waits for a transaction from inside it would wait for ever: a mistake in the program. */
function refuseInside(transaction: OpenTransaction | undefined, message: string): void {
  if (transaction?.isOpen() === true) throw new Error(message);
}

function storeClosed(): CatalogError {
  return new CatalogError('registry.unavailable', 'The metadata store is closed.');
}
