import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { query, type BenchDatabase } from '../pg-database.ts';
import type { RegistryProcess } from '../registry-process.ts';
import { runLoad, type LoadRequest } from './load.ts';

/** A registry and its database, which no other process uses. */
export interface Served {
  registry: RegistryProcess;
  database: BenchDatabase;
  /** CPU time while idle, in milliseconds per second. */
  idle: ProcessorTime;
}

export interface ProcessorTime {
  server_ms: number;
  database_ms: number;
}

/** Costs per request of a load, without the idle costs. */
export interface Reading {
  requests: number;
  requests_per_second: number;
  latency_ms: number;
  server_ms: number;
  database_ms: number;
  busy_ms: number;
  bytes: number;
  statements: number;
  /** Rows that scans read and that indexes returned. */
  rows: number;
  /** Pages of 8 KB, from shared buffers or from the operating system. */
  buffers: number;
}

const SAMPLE_MS = 250;
/** Share of a measurement, to warm up connections, plans and compiled code. */
const WARM_SHARE = 0.25;

export async function readLoad(
  served: Served,
  connections: number,
  seconds: number,
  next: () => LoadRequest,
): Promise<Reading> {
  const { url } = served.registry;
  await closePoolConnections(served.database);
  const counted = await readCounters(served.database);
  const warm = await runLoad(url, connections, seconds * WARM_SHARE, next);
  const processor = await startProcessor(served);
  const run = await runLoad(url, connections, seconds, next);
  const { server_ms, database_ms } = await processor.stop();
  await closePoolConnections(served.database);
  const counters = await readCounters(served.database);
  const all = warm.requests + run.requests;
  const each = (part: keyof Counters): number => (counters[part] - counted[part]) / all;
  return {
    requests: run.requests,
    requests_per_second: run.requests / run.seconds,
    latency_ms: (run.seconds * 1000 * connections) / run.requests,
    server_ms: (server_ms - served.idle.server_ms * run.seconds) / run.requests,
    database_ms: (database_ms - served.idle.database_ms * run.seconds) / run.requests,
    busy_ms: each('active_ms'),
    bytes: run.bytes / run.requests,
    statements: each('transactions'),
    rows: each('rows'),
    buffers: each('buffers'),
  };
}

/** Measures the CPU time of an idle process, in milliseconds per second. */
export async function readIdle(
  serving: Pick<Served, 'registry' | 'database'>,
  seconds: number,
): Promise<ProcessorTime> {
  const processor = await startProcessor(serving);
  await delay(seconds * 1000);
  const { server_ms, database_ms } = await processor.stop();
  return { server_ms: server_ms / seconds, database_ms: database_ms / seconds };
}

/**
 * Excludes other users of the same server. Lists the connections repeatedly, because the pool closes
 * those it does not need.
 */
async function startProcessor({
  registry,
  database,
}: Pick<Served, 'registry' | 'database'>): Promise<{
  stop(): Promise<ProcessorTime>;
}> {
  const before = new Map((await readBackends(database)).map(({ pid, ms }) => [pid, ms]));
  const seen = new Map(before);
  const server_before = registry.cpuMs();
  const end = new AbortController();
  const sampling = sample();

  async function sample(): Promise<void> {
    while (!end.signal.aborted) {
      await delay(SAMPLE_MS, undefined, { signal: end.signal }).catch(() => undefined);
      for (const { pid, ms } of await readBackends(database)) seen.set(pid, ms);
    }
  }

  return {
    async stop() {
      const server_ms = registry.cpuMs() - server_before;
      end.abort();
      await sampling;
      const spent = [...seen].map(([pid, ms]) => ms - (before.get(pid) ?? 0));
      return { server_ms, database_ms: spent.reduce((sum, ms) => sum + ms, 0) };
    },
  };
}

async function readBackends({
  name,
  owner_dsn,
}: BenchDatabase): Promise<{ pid: number; ms: number }[]> {
  const rows = await query<{ pid: number }>(
    siblingDatabaseDsn(owner_dsn),
    'SELECT pid FROM pg_stat_activity WHERE datname = $1',
    [name],
  );
  return rows.flatMap(({ pid }) => {
    try {
      // CPU time in nanoseconds; a backend has one thread.
      const [ns = ''] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
      return [{ pid, ms: Number(ns) / 1e6 }];
    } catch {
      return [];
    }
  });
}

interface Counters {
  transactions: number;
  rows: number;
  buffers: number;
  active_ms: number;
}

const COUNTERS = `SELECT xact_commit::float8 AS transactions,
    (tup_returned + tup_fetched)::float8 AS rows, (blks_hit + blks_read)::float8 AS buffers,
    active_time AS active_ms
  FROM pg_stat_database WHERE datname = $1`;

async function readCounters({ name, owner_dsn }: BenchDatabase): Promise<Counters> {
  const [row] = await query<Counters>(siblingDatabaseDsn(owner_dsn), COUNTERS, [name]);
  if (row === undefined) throw new Error(`no database ${name}`);
  return row;
}

const POOL = "datname = $1 AND application_name = 'catalog'";

/** Ends the connections of the pool, because a connection reports its statistics when it ends. */
async function closePoolConnections({ name, owner_dsn }: BenchDatabase): Promise<void> {
  const dsn = siblingDatabaseDsn(owner_dsn);
  await query(dsn, `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE ${POOL}`, [
    name,
  ]);
}

/** Returns the DSN of another database of the same server, so that this connection is not counted. */
function siblingDatabaseDsn(owner_dsn: string): string {
  const url = new URL(owner_dsn);
  url.pathname = '/postgres';
  return url.href;
}
