import { Client } from 'pg';
import { translateError } from './postgres-error.ts';

/** Each process also has connections for notifications, locks and probes. */
const EXTRA_CONNECTIONS = 3;

export interface ConnectionShortage {
  max_connections: number;
  /** Connections of the server, minus reserved ones and those of other programs. */
  available: number;
  needed: number;
  /** Number of connected processes, plus one for a rolling restart. */
  processes: number;
}

// Each process has one connection for probes.
const COUNT = `SELECT current_setting('max_connections')::int AS max_connections,
    current_setting('superuser_reserved_connections')::int
      + coalesce(current_setting('reserved_connections', true)::int, 0) AS reserved,
    count(*) FILTER (WHERE ours AND application_name = 'catalog probe')::int AS running,
    count(*) FILTER (WHERE NOT ours)::int AS others
  FROM (
    SELECT application_name, datname = current_database() AND application_name LIKE 'catalog%' AS ours
    FROM pg_stat_activity WHERE datname IS NOT NULL AND pid <> pg_backend_pid()
  ) AS connections`;

interface Counts {
  max_connections: number;
  reserved: number;
  running: number;
  others: number;
}

/**
 * Describes a lack of connections. Returns undefined if every process of the registry can open all of its connections.
 */
export async function findConnectionShortage(
  dsn: string,
  pool_size: number,
): Promise<ConnectionShortage | undefined> {
  const client = new Client({ connectionString: dsn, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Counts>(COUNT);
    return rows[0] === undefined ? undefined : compare(rows[0], pool_size);
  } catch (error) {
    throw translateError(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function compare(counts: Counts, pool_size: number): ConnectionShortage | undefined {
  const { max_connections, reserved, running, others } = counts;
  const available = Math.max(0, max_connections - reserved - others);
  const processes = running + 1;
  const needed = processes * (pool_size + EXTRA_CONNECTIONS);
  return needed > available ? { max_connections, available, needed, processes } : undefined;
}
