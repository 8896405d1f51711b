import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { SCHEMA } from './pool.ts';
import { createSockets, endOrCut } from './sockets.ts';

export interface CommitNotifications {
  tell(): void;
  close(): Promise<void>;
}

const CHANNEL = `${SCHEMA}_commits`;
/** Interval of polls, which find commits without a notification. */
const POLL_MS = 1000;
/** Period in which all commits share one notification. */
const BATCH_MS = 5;

/**
 * Opens notifications about commits, with a poll as a fallback. Notifications are sent after the transaction: inside,
 * each commit would wait for all other commits on the server.
 */
export function openCommitNotifications(
  primaryDsn: () => string,
  onWake: () => void,
): CommitNotifications {
  const sockets = createSockets();
  let closed = false;
  let client: Client | undefined;
  let listensTo = '';
  let isPending = false;
  let telling: Promise<void> | undefined;
  const poll = setInterval(() => {
    onWake();
    // A former primary sends no notifications.
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
      opened.on('notification', ({ processId }) => {
        if (processId !== rows[0]?.own) onWake();
      });
      await opened.query(`LISTEN ${CHANNEL}`);
    } catch {
      drop();
    }
    if (closed) drop();
  }

  /** Sends one notification at a time because the driver runs statements in sequence. */
  async function sendNotifications(): Promise<void> {
    while (isPending) {
      await delay(BATCH_MS, undefined, { ref: false });
      isPending = false;
      await client?.query(`NOTIFY ${CHANNEL}`).catch(() => undefined);
    }
    telling = undefined;
  }

  void listen();
  return {
    tell() {
      isPending = true;
      telling ??= sendNotifications();
    },
    async close() {
      closed = true;
      clearInterval(poll);
      if (client !== undefined) await endOrCut(client.end(), sockets);
    },
  };
}
