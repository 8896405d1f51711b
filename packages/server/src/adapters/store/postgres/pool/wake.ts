import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { SCHEMA } from './pool.ts';
import { createSockets, endOrCut } from './sockets.ts';

/** Tells processes on the same database of each other's commits. */
export interface Wake {
  /** This process committed something others wait for. */
  tell(): void;
  close(): Promise<void>;
}

const CHANNEL = `${SCHEMA}_commits`;
/** The truth: what no notification told of is found after this. */
const POLL_MS = 1000;
/** Commits that follow each other this closely are told of once. */
const GATHER_MS = 5;

/**
 * A notification wakes, a poll makes sure. Notifications are sent beside the transactions, since in one
 * they would make every commit of the whole server wait for every other.
 */
export function openWake(primaryDsn: () => string, onWake: () => void): Wake {
  const sockets = createSockets();
  let closed = false;
  let client: Client | undefined;
  let listensTo = '';
  let isAsked = false;
  let telling: Promise<void> | undefined;
  const poll = setInterval(() => {
    onWake();
    // Nobody notifies over a server that is the primary no more.
    if (listensTo !== primaryDsn()) void client?.end().catch(() => undefined);
    if (client === undefined) void listen();
  }, POLL_MS).unref();

  async function listen(): Promise<void> {
    listensTo = primaryDsn();
    const opened = new Client({
      connectionString: listensTo,
      application_name: 'catalog wake',
      connectionTimeoutMillis: POLL_MS,
      stream: () => sockets.open(),
      keepAlive: true,
    });
    client = opened;
    const drop = (): void => {
      if (client === opened) client = undefined;
      void opened.end().catch(() => undefined);
    };
    opened.on('error', drop);
    opened.on('end', drop);
    try {
      await opened.connect();
      const { rows } = await opened.query<{ own: number }>('SELECT pg_backend_pid() AS own');
      // Its own commits this process knows of already.
      opened.on('notification', ({ processId }) => {
        if (processId !== rows[0]?.own) onWake();
      });
      await opened.query(`LISTEN ${CHANNEL}`);
    } catch {
      drop();
    }
    if (closed) drop();
  }

  /** One at a time, since the driver takes one statement after the other. */
  async function tellOthers(): Promise<void> {
    while (isAsked) {
      await delay(GATHER_MS, undefined, { ref: false });
      isAsked = false;
      await client?.query(`NOTIFY ${CHANNEL}`).catch(() => undefined);
    }
    telling = undefined;
  }

  void listen();
  return {
    tell() {
      isAsked = true;
      telling ??= tellOthers();
    },
    async close() {
      closed = true;
      clearInterval(poll);
      if (client !== undefined) await endOrCut(client.end(), sockets);
    },
  };
}
