import { Client } from 'pg';
import { monotonicMs } from '../../../clock.ts';
import { classify, NoResponse } from './postgres-error.ts';
import { createSockets } from './sockets.ts';
import { types } from './types.ts';

export type ProbeResult =
  /**
   * A server that accepts writes. After a promotion, its timeline is higher. `position` is the flushed WAL position.
   */
  | { kind: 'writable'; timeline: number; position: number }
  /** A standby. `behind_ms` is the age of its last replayed transaction. */
  | { kind: 'standby'; position: number; behind_ms: number }
  /** A server that responds but has no free connection, so its role is unknown. */
  | { kind: 'full' }
  | { kind: 'gone'; error: unknown };

/** Probes one server. Uses a dedicated connection, because an exhausted pool would hide the state of the server. */
export interface Probe {
  look(timeout_ms: number): Promise<ProbeResult>;
  clock(): ClockReading | undefined;
  close(): void;
}

/** Time of a server's clock, and the monotonic time of this process at the same moment. */
export interface ClockReading {
  time_ms: number;
  at_ms: number;
}

interface Row {
  standby: boolean;
  timeline: number;
  position: number;
  behind_ms: number;
  time_ms: number;
}

// Before its first replayed transaction, a standby has the data of its base backup.
const PROBE_SQL = `SELECT standby,
    CASE WHEN standby THEN 0
      ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END AS timeline,
    pg_wal_lsn_diff(
      CASE WHEN standby THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END,
      '0/0')::float8 AS position,
    extract(epoch FROM clock_timestamp()
      - coalesce(pg_last_xact_replay_timestamp(), pg_postmaster_start_time()))::float8 * 1000
      AS behind_ms,
    extract(epoch FROM clock_timestamp())::float8 * 1000 AS time_ms
  FROM (SELECT pg_is_in_recovery() AS standby) AS server`;

export function openProbe(dsn: string): Probe {
  const sockets = createSockets();
  let client: Client | undefined;
  let reading: ClockReading | undefined;

  async function connect(): Promise<Client> {
    const opened = new Client({
      connectionString: dsn,
      application_name: 'catalog probe',
      stream: () => sockets.open(),
      keepAlive: true,
      types,
    });
    const forget = (): void => {
      if (client === opened) client = undefined;
    };
    opened.on('error', forget);
    opened.on('end', forget);
    await opened.connect();
    client = opened;
    return opened;
  }

  async function queryServer(): Promise<ProbeResult> {
    const connected = client ?? (await connect());
    const sent_ms = monotonicMs();
    const { rows } = await connected.query<Row>(PROBE_SQL);
    const [row] = rows;
    if (row === undefined) throw new Error('The server did not report its state.');
    const { standby, timeline, position, behind_ms, time_ms } = row;
    // The server read its clock about halfway between request and response.
    reading = { time_ms, at_ms: (sent_ms + monotonicMs()) / 2 };
    return standby
      ? { kind: 'standby', position, behind_ms: Math.max(0, behind_ms) }
      : { kind: 'writable', timeline, position };
  }

  return {
    async look(timeout_ms) {
      const late = startTimeout(timeout_ms);
      try {
        return await Promise.race([queryServer(), late.promise]);
      } catch (error) {
        client = undefined;
        sockets.cut();
        return classify(error) === 'busy' ? { kind: 'full' } : { kind: 'gone', error };
      } finally {
        late.end();
      }
    },
    clock: () => reading,
    close() {
      client = undefined;
      sockets.cut();
    },
  };
}

/**
 * Creates a promise that rejects on timeout. Data that has already arrived is processed first, because this process
 * itself may have been delayed.
 */
function startTimeout(timeout_ms: number): { promise: Promise<never>; end(): void } {
  const { promise, reject } = Promise.withResolvers<never>();
  const error = new NoResponse(`The server did not respond within ${timeout_ms} ms.`);
  const timer = setTimeout(() => setImmediate(() => setImmediate(() => reject(error))), timeout_ms);
  timer.unref();
  return { promise, end: () => clearTimeout(timer) };
}
