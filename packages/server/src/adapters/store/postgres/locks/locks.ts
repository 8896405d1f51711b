import { setTimeout as delay } from 'node:timers/promises';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { HeldLock, Locks } from '@catalog/core/ports/locks';
import { Client } from 'pg';
import { createLocalLocks } from '../../local-locks.ts';
import { translateError } from '../pool/postgres-error.ts';
import { createSockets, endOrCut } from '../pool/sockets.ts';

export interface SharedLocks extends Locks {
  /** Drops all locks, because the primary has changed: locks on the former primary have no effect. */
  lose(): void;
  close(): Promise<void>;
}

interface Session {
  ask: (sql: string, name: string) => Promise<{ rows: readonly { taken?: boolean }[] }>;
  close: () => Promise<void>;
  lost: AbortSignal;
  lose: () => void;
}

const TAKE = 'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken';
const RELEASE = 'SELECT pg_advisory_unlock(hashtextextended($1, 0))';
const PAUSE_MS = { first: 5, longest: 100 };
/** Pause between two holders in this process, so that other processes can acquire the lock. */
const YIELD_TO_OTHERS_MS = 5;
const RESPONSE_TIMEOUT_MS = 5000;
/** Interval of heartbeats, which detect a connection that broke without an error. */
const HEARTBEAT_MS = 5000;
/** Settings with which the server detects broken connections and releases their locks. */
const SESSION = [
  'tcp_keepalives_idle=10',
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=3',
  'idle_session_timeout=0',
];

/**
 * Opens locks in PostgreSQL. The callers of a process form a queue and only the first one polls the server: waiting on
 * the server would block the shared connection.
 */
export function openLocks(primary: () => string): SharedLocks {
  const local = createLocalLocks();
  let session: Promise<Session> | undefined;
  const closing = new AbortController();

  function forget(opened: Promise<Session>): void {
    if (session === opened) session = undefined;
  }

  function connected(): Promise<Session> {
    closing.signal.throwIfAborted();
    if (session === undefined) {
      const opened = connect(primary(), () => forget(opened));
      session = opened;
      opened.catch(() => forget(opened));
    }
    return session;
  }

  async function tryAcquireShared(
    name: string,
    localHold: HeldLock,
  ): Promise<HeldLock | undefined> {
    try {
      const { ask, lost, lose } = await connected();
      // Without a response, the connection may or may not hold the lock.
      const { rows } = await ask(TAKE, name).catch((error: unknown) => {
        lose();
        throw error;
      });
      if (rows[0]?.taken !== true) return undefined;
      let isHeld = true;
      return {
        lost,
        async release() {
          if (!isHeld) return;
          isHeld = false;
          // A lost connection has already released the lock.
          if (!lost.aborted) await ask(RELEASE, name).catch(lose);
          await localHold.release();
        },
      };
    } catch (error) {
      throw translateError(error);
    }
  }

  /** Pauses after an earlier caller in this process, so that other processes can go first. */
  async function acquireLocally(name: string, signal: AbortSignal): Promise<HeldLock> {
    signal.throwIfAborted();
    const free = await local.tryTake(name);
    if (free !== undefined) return free;
    const localHold = await local.take(name, signal);
    await delay(YIELD_TO_OTHERS_MS, undefined, { signal }).catch(() => undefined);
    return localHold;
  }

  async function acquireShared(
    name: string,
    localHold: HeldLock,
    signal: AbortSignal,
  ): Promise<HeldLock> {
    for (let pause = PAUSE_MS.first; ; pause = Math.min(pause * 2, PAUSE_MS.longest)) {
      signal.throwIfAborted();
      const shared = await tryAcquireShared(name, localHold);
      if (shared !== undefined) return shared;
      await delay(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    async take(name, signal) {
      const enough = AbortSignal.any([signal, closing.signal]);
      const localHold = await acquireLocally(name, enough);
      try {
        return await acquireShared(name, localHold, enough);
      } catch (error) {
        await localHold.release();
        throw error;
      }
    },
    async tryTake(name) {
      const localHold = await local.tryTake(name);
      if (localHold === undefined) return undefined;
      let shared: HeldLock | undefined;
      try {
        shared = await tryAcquireShared(name, localHold);
      } finally {
        if (shared === undefined) await localHold.release();
      }
      return shared;
    },
    lose() {
      const opened = session;
      session = undefined;
      opened?.then(
        (lost) => lost.lose(),
        () => undefined,
      );
    },
    async close() {
      closing.abort(new CatalogError('registry.unavailable', 'The metadata store is closed.'));
      const opened = await session?.catch(() => undefined);
      await opened?.close();
    },
  };
}

async function connect(dsn: string, onLost: () => void): Promise<Session> {
  const sockets = createSockets();
  const client = new Client({
    connectionString: dsn,
    application_name: 'catalog locks',
    connectionTimeoutMillis: RESPONSE_TIMEOUT_MS,
    query_timeout: RESPONSE_TIMEOUT_MS,
    stream: () => sockets.open(),
    keepAlive: true,
    options: SESSION.map((setting) => `-c ${setting}`).join(' '),
  });
  const end = new AbortController();
  const lose = (): void => end.abort(connectionLost());
  let last: Promise<unknown> = Promise.resolve();
  const ask: Session['ask'] = (sql, name) => {
    const answer = last.then(() => client.query<{ taken?: boolean }>(sql, [name]));
    last = answer.catch(() => undefined);
    return answer;
  };
  const beat = setInterval(() => void ask('SELECT $1', 'here').catch(lose), HEARTBEAT_MS).unref();
  end.signal.addEventListener('abort', () => {
    clearInterval(beat);
    onLost();
    client.end().catch(() => undefined);
  });
  client.on('error', lose);
  client.on('end', lose);
  try {
    await client.connect();
  } catch (error) {
    lose();
    throw error;
  }
  return { ask, close: () => endOrCut(client.end(), sockets), lost: end.signal, lose };
}

function connectionLost(): CatalogError {
  return new CatalogError(
    'registry.unavailable',
    'The database connection that held the lock was lost.',
  );
}
