import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Store } from '@catalog/core/ports/store';
import { readOnlyError } from '@catalog/core/read-only-error';
import { checkRole } from './migrations/check-role.ts';
import { embeddings } from './vectors/embeddings.ts';
import { openLocks } from './locks/locks.ts';
import { explainMigrationError } from './migrations/migrate-database.ts';
import { migrate } from './migrations/migrate.ts';
import type { Migration } from './migrations/migration.ts';
import { migrations as released } from './migrations/table.ts';
import { findConnectionShortage, type ConnectionShortage } from './pool/connection-shortage.ts';
import { openPool, type Connection } from './pool/pool.ts';
import { classify, translateError } from './pool/postgres-error.ts';
import type { Run } from '../shared/queries.ts';
import { quotaLeases } from './locks/quota-leases.ts';
import { createReads, useForReads, type UseForReads } from './pool/reads.ts';
import { readRevision, sharedRevision } from './revision.ts';
import { atServerOf } from './pool/server-name.ts';
import { Servers } from './pool/servers.ts';
import { createSessionCache, withMemo } from './pool/session-memo.ts';
import { storeReads } from './sub-stores.ts';
import { inTransaction } from './transaction.ts';
import { createUnits } from './units.ts';
import { vectorIndex } from './vectors/vectors.ts';
import { openCommitNotifications } from './pool/commit-notifications.ts';

export interface PostgresStoreOptions {
  /** Connection string of the registry's role, which sees one tenant at a time and cannot change the schema. */
  dsn: string;
  replica_dsns?: readonly string[];
  /** Connection string of the schema owner; if set, startup migrates the schema. */
  migration_dsn?: string | undefined;
  /** Connections per server. Notifications, locks and probes use additional ones. */
  pool_size?: number;
  statement_timeout_ms?: number;
  probe_interval_ms?: number;
  /** Number of consecutive failed probes after which the store becomes read-only; 0 disables read-only mode. */
  probe_failures?: number;
  onConnectionShortage?: ((shortage: ConnectionShortage) => void) | undefined;
  most_compared?: number;
  migrations?: readonly Migration[];
}

const CONNECT_TIMEOUT_MS = 5_000;
const LOCK_TIMEOUT_MS = 30_000;
const DEFAULT_POOL_SIZE = 10;
const DEFAULT_STATEMENT_TIMEOUT_MS = 30_000;
const DEFAULT_PROBE_INTERVAL_MS = 5_000;
const DEFAULT_PROBE_FAILURES = 3;

/**
 * Opens the metadata store in PostgreSQL, which several processes can share. Rejects a database with an incompatible
 * schema, and a role that bypasses row-level security.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const servers = await Servers.open({
    dsns: [options.dsn, ...(options.replica_dsns ?? [])],
    openPool: (dsn) =>
      openPool({
        dsn,
        size: options.pool_size ?? DEFAULT_POOL_SIZE,
        connect_timeout_ms: CONNECT_TIMEOUT_MS,
        statement_timeout_ms: options.statement_timeout_ms ?? DEFAULT_STATEMENT_TIMEOUT_MS,
        lock_timeout_ms: LOCK_TIMEOUT_MS,
        application_name: 'catalog',
      }),
    probe_interval_ms: options.probe_interval_ms ?? DEFAULT_PROBE_INTERVAL_MS,
    probe_failures: options.probe_failures ?? DEFAULT_PROBE_FAILURES,
  });
  try {
    await prepare(servers, options);
    return openOn(servers, options);
  } catch (error) {
    await servers.close();
    throw translateError(error);
  }
}

async function prepare(servers: Servers, options: PostgresStoreOptions): Promise<void> {
  const { dsn, migration_dsn, migrations = released } = options;
  const at = servers.firstForReads().dsn;
  if (migration_dsn !== undefined && servers.availability().mode === 'ready') {
    const isMoved = at !== dsn;
    await migrateAtStart(isMoved ? atServerOf(migration_dsn, at) : migration_dsn, migrations);
  }
  await checkRole(at, migrations);
  if (options.onConnectionShortage === undefined) return;
  const shortage = await findConnectionShortage(at, options.pool_size ?? DEFAULT_POOL_SIZE);
  if (shortage !== undefined) options.onConnectionShortage(shortage);
}

async function migrateAtStart(
  migration_dsn: string,
  migrations: readonly Migration[],
): Promise<void> {
  try {
    await migrate(migration_dsn, migrations);
  } catch (error) {
    const failure = classify(error);
    // Permanent errors are about the connection of the schema owner, not about store.dsn.
    const isPermanent = failure === 'refused' || failure === 'other';
    throw isPermanent ? explainMigrationError(error, migration_dsn) : error;
  }
}

function openOn(servers: Servers, { most_compared }: PostgresStoreOptions): Store {
  const listeners = new Set<() => void>();
  // A listener that throws must not make a committed transaction look failed.
  const callListeners = (): void => {
    for (const listener of listeners) queueMicrotask(listener);
  };
  const primaryDsn = (): string => servers.primary.dsn;
  const wake = openCommitNotifications(primaryDsn, callListeners);
  const locks = openLocks(primaryDsn);
  servers.onNotice(({ kind }) => {
    if (kind === 'primary_changed') locks.lose();
    // Other processes may have committed while this process could not reach the primary.
    if (kind === 'read_only_exited' || kind === 'primary_changed') callListeners();
  });
  const memo = createSessionCache();
  let closed = false;
  function requireOpen(): void {
    if (closed) throw new CatalogError('registry.unavailable', 'The metadata store is closed.');
  }
  const read = useForReads(servers);
  const use: UseForReads = async (work) => {
    requireOpen();
    return read(work);
  };
  const reads = createReads(use);
  const stored = storeReads(reads, sharedRevision(reads.run));
  async function onPrimary<Result>(
    way: 'use' | 'useForLong',
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    requireOpen();
    if (servers.availability().mode === 'read_only') throw readOnlyError();
    try {
      return await servers.primary.pool[way](work);
    } catch (error) {
      throw translateError(error);
    }
  }
  const writeBy =
    (way: 'use' | 'useForLong'): Run =>
    (tenant, step) =>
      onPrimary(way, async (connection) => step(await connection.forTenant(tenant)));
  const change: Run = (tenant, step) =>
    onPrimary('use', (connection) => inTransaction(connection, ({ run }) => run(tenant, step)));

  return {
    ...stored,
    together: (tenant, work) =>
      reads.together(tenant, (queries) => {
        const run: Run = async (requestedTenant, step) => {
          if (requestedTenant !== tenant)
            throw new Error('A consistent read covers a single tenant.');
          return step(queries);
        };
        return work(
          storeReads({ run, together: run }, (requestedTenant) =>
            readRevision(run, requestedTenant),
          ),
        );
      }),
    vectors: vectorIndex(reads.run, writeBy('use'), most_compared, writeBy('useForLong')),
    embeddings: embeddings(reads.run, writeBy('use'), change),
    sessions: withMemo(stored.sessions, memo),
    locks,
    quota: quotaLeases(writeBy('use')),
    transaction: createUnits({
      servers,
      memo,
      requireOpen,
      onAnnounced() {
        callListeners();
        wake.tell();
      },
    }),
    onCommit(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    now: () => servers.now(),
    availability: () => servers.availability(),
    onNotice: (listener) => servers.onNotice(listener),
    servers: () => servers.describe(),
    async probe() {
      requireOpen();
      await servers.requireReadable();
    },
    async close() {
      if (closed) return;
      closed = true;
      await wake.close();
      await locks.close();
      await servers.close();
    },
  };
}
