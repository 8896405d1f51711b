import { setTimeout as delay } from 'node:timers/promises';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Hold, Locks } from '@catalog/core/ports/locks';
import { Client } from 'pg';
import { createLocalLocks } from '../../local-locks.ts';
import { translateError } from '../pool/postgres-error.ts';
import { createSockets, endOrCut } from '../pool/sockets.ts';

/** The locks of a process, on a connection of their own. */
export interface SharedLocks extends Locks {
  /** Another server is the primary: what is held at the one before keeps nobody from anything. */
  lose(): void;
  /** Everything that is held is free. */
  close(): Promise<void>;
}

/** A connection that holds locks, until it is lost. */
interface Session {
  /** Asks when everything asked before has been answered. */
  ask: (sql: string, name: string) => Promise<{ rows: readonly { taken?: boolean }[] }>;
  close: () => Promise<void>;
  lost: AbortSignal;
  lose: () => void;
}

const TAKE = 'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken';
const RELEASE = 'SELECT pg_advisory_unlock(hashtextextended($1, 0))';
/** A name that another process has is asked for again after this, at first and at last. */
const PAUSE_MS = { first: 5, longest: 100 };
/** Between two of this process others have so long to ask, or they would hardly find a name free. */
const OTHERS_FIRST_MS = 5;
const ANSWER_MS = 5000;
/** A connection that is cut without a word is found out after this and the time for an answer. */
const BEAT_MS = 5000;
/** The same from the side of the server, which frees what a host held that is gone. */
const SESSION = [
  'tcp_keepalives_idle=10',
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=3',
  'idle_session_timeout=0',
];

/**
 * Advisory locks of the database. Within the process those who want a name stand in a queue; its head
 * asks the server again and again, because one that waited inside the server would keep the connection
 * from everybody else.
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

  /** Asks the server for a name that is this process's already. */
  async function share(name: string, mine: Hold): Promise<Hold | undefined> {
    try {
      const { ask, lost, lose } = await connected();
      // Without an answer nobody knows whether this connection has the lock, so it is given up.
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
          // A connection that is gone has released it.
          if (!lost.aborted) await ask(RELEASE, name).catch(lose);
          await mine.release();
        },
      };
    } catch (error) {
      throw translateError(error);
    }
  }

  /** Waits for those of this process who came before; after one of them, others may ask first. */
  async function takeHere(name: string, signal: AbortSignal): Promise<Hold> {
    signal.throwIfAborted();
    const free = await local.tryTake(name);
    if (free !== undefined) return free;
    const mine = await local.take(name, signal);
    await delay(OTHERS_FIRST_MS, undefined, { signal }).catch(() => undefined);
    return mine;
  }

  async function shareSoon(name: string, mine: Hold, signal: AbortSignal): Promise<Hold> {
    for (let pause = PAUSE_MS.first; ; pause = Math.min(pause * 2, PAUSE_MS.longest)) {
      signal.throwIfAborted();
      const shared = await share(name, mine);
      if (shared !== undefined) return shared;
      await delay(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    async take(name, signal) {
      const enough = AbortSignal.any([signal, closing.signal]);
      const mine = await takeHere(name, enough);
      try {
        return await shareSoon(name, mine, enough);
      } catch (error) {
        await mine.release();
        throw error;
      }
    },
    async tryTake(name) {
      const mine = await local.tryTake(name);
      if (mine === undefined) return undefined;
      let shared: Hold | undefined;
      try {
        shared = await share(name, mine);
      } finally {
        if (shared === undefined) await mine.release();
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
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
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
  const beat = setInterval(() => void ask('SELECT $1', 'here').catch(lose), BEAT_MS).unref();
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
