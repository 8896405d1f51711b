import {
  Client,
  DatabaseError,
  Pool as ClientPool,
  type ClientBase,
  type ClientConfig,
  type PoolClient,
} from 'pg';
import type { ColumnKind } from '@catalog/core/ports/plain-tables';
import type { Tenant } from '@catalog/core/ports/tenant';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { classify, NotReplicated } from './postgres-error.ts';
import type { Parameter } from '../../shared/parameter.ts';
import type { Queries } from '../../shared/queries.ts';
import type { Sql } from '../../shared/sql.ts';
import { columnNames, parametersOf, type Table } from '../../shared/table.ts';
import { batches } from './batches.ts';
import { createSockets, endOrCut } from './sockets.ts';
import { types } from './types.ts';

export const SCHEMA = 'catalog';

export interface PoolOptions {
  /** `postgres://user:password@host:port/database?sslmode=...` */
  dsn: string;
  size: number;
  connect_timeout_ms: number;
  /** Timeout of a statement; 0 disables it. */
  statement_timeout_ms: number;
  /** Timeout for a lock; 0 disables it. */
  lock_timeout_ms: number;
  application_name: string;
}

export interface Connection {
  forTenant(tenant: Tenant): Promise<Queries>;
  exec(sql: string): Promise<void>;
  /**
   * Commits the transaction. Also throws if the transaction is committed but a required standby has not confirmed it.
   */
  commit(): Promise<void>;
  /** Clears the known tenant, because a rollback restores the previous tenant of the connection. */
  forgetTenant(): void;
}

export interface Pool {
  /** Runs work on a connection. Discards the connection if it breaks. */
  use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** Runs a read. If `cutReads` interrupts the read, runs it again on another server. */
  read<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** Runs work on a dedicated connection without a statement timeout. */
  useForLong<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
  usage(): { open: number; idle: number; waiting: number };
  /** Closes all connections, including those in use: the server hangs. */
  cut(): void;
  /** Closes connections with reads in progress and rejects reads that wait for a connection. */
  cutReads(): void;
  close(): Promise<void>;
}

/**
 * Settings of a session. Each statement is planned for its parameter values: a plan for an average tenant would be slow
 * for a large one.
 */
export const SESSION = [
  'plan_cache_mode=force_custom_plan',
  // JIT compilation would take longer than any of these statements.
  'jit=off',
  'timezone=UTC',
  `search_path=${SCHEMA}`,
];
/** Timeout of an abandoned transaction, which would otherwise hold its locks forever. */
const IDLE_IN_TRANSACTION_MS = 60_000;
/** Time after a statement timeout at which the server counts as hanging. */
const GRACE_MS = 5_000;

export function openPool(options: PoolOptions): Pool {
  const sockets = createSockets();
  const clientConfig = (statement_timeout_ms: number): ClientConfig => {
    const settings = [
      ...SESSION,
      `statement_timeout=${statement_timeout_ms}`,
      `lock_timeout=${options.lock_timeout_ms}`,
      `idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`,
    ];
    return {
      connectionString: options.dsn,
      stream: () => sockets.open(),
      connectionTimeoutMillis: options.connect_timeout_ms,
      application_name: options.application_name,
      options: settings.map((setting) => `-c ${setting}`).join(' '),
      ...(statement_timeout_ms === 0 ? {} : { query_timeout: statement_timeout_ms + GRACE_MS }),
      keepAlive: true,
      types,
    };
  };
  const pool = new ClientPool({
    ...clientConfig(options.statement_timeout_ms),
    max: options.size,
  });
  // The pool removes a broken idle connection, and the next caller gets another one.
  pool.on('error', () => undefined);
  // If a connection breaks before its first use, the first statement reports the error.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const tenants: CurrentTenants = new WeakMap();
  /** The pool itself cannot reject callers that wait for a connection. */
  const waiting: Waiting = new Set();
  const waiting_reads: Waiting = new Set();
  const reading = new Set<PoolClient>();

  function connect(waiting: Waiting): Promise<PoolClient> {
    return new Promise((resolve, reject) => {
      waiting.add(reject);
      pool.connect((error, client) => {
        const isWaiting = waiting.delete(reject);
        if (client === undefined) reject(error ?? new Error('Connection terminated'));
        else if (isWaiting) resolve(client);
        else client.release();
      });
    });
  }

  async function useClient<Result>(
    client: PoolClient,
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    let broken = false;
    try {
      return await work(openConnection(client, tenants));
    } catch (error) {
      broken = isFatal(error) || classify(error) === 'lost';
      throw error;
    } finally {
      // After an error of the connection itself, the pool discards it anyway.
      client.release(broken);
    }
  }

  return {
    use: async (work) =>
      useClient(await (pool.idleCount > 0 ? pool.connect() : connect(waiting)), work),
    async read(work) {
      const client = await (pool.idleCount > 0 ? pool.connect() : connect(waiting_reads));
      reading.add(client);
      try {
        return await useClient(client, work);
      } finally {
        reading.delete(client);
      }
    },
    async useForLong(work) {
      const client = new Client(clientConfig(0));
      client.on('error', () => undefined);
      try {
        await client.connect();
        return await work(openConnection(client, tenants));
      } finally {
        await client.end().catch(() => undefined);
      }
    },
    usage: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      // For a moment, the pool counts a caller as waiting even if it gets an idle connection.
      waiting: Math.max(0, pool.waitingCount - pool.idleCount),
    }),
    cut() {
      sockets.cut();
      rejectAll(waiting);
      rejectAll(waiting_reads);
    },
    cutReads() {
      // The driver closes the socket of a connection that waits for a response.
      for (const client of reading) void client.end().catch(() => undefined);
      rejectAll(waiting_reads);
    },
    close: () => endOrCut(pool.end(), sockets),
  };
}

type Waiting = Set<(reason: Error) => void>;

function rejectAll(waiting: Waiting): void {
  for (const reject of waiting) reject(new Error('Connection terminated before it was made'));
  waiting.clear();
}

function isFatal(error: unknown): boolean {
  return (
    error instanceof DatabaseError && (error.severity === 'FATAL' || error.severity === 'PANIC')
  );
}

/** Current tenant of each connection; missing if unknown. */
type CurrentTenants = WeakMap<ClientBase, Tenant>;

function openConnection(client: ClientBase, tenants: CurrentTenants): Connection {
  const queries = clientQueries(client);
  return {
    async forTenant(tenant) {
      if (tenants.get(client) !== tenant) {
        tenants.delete(client);
        await queries.run(SHOW_TENANT, String(tenant));
        tenants.set(client, tenant);
      }
      return queries;
    },
    exec: async (sql) => void (await client.query(sql)),
    async commit() {
      try {
        await commit(client);
      } catch (error) {
        tenants.delete(client);
        throw error;
      }
    },
    forgetTenant: () => void tenants.delete(client),
  };
}

const WARNING = '01000';

/**
 * Commits a transaction. Throws if the wait for a synchronous standby is canceled: PostgreSQL then commits on the
 * primary alone with a warning, and the transaction may be lost with the primary (SPEC-37).
 */
async function commit(client: ClientBase): Promise<void> {
  let warning: string | undefined;
  const onNotice = ({ code, message }: Record<'code' | 'message', string | undefined>): void => {
    if (code === WARNING) warning = message ?? '';
  };
  client.on('notice', onNotice);
  try {
    await client.query('COMMIT');
  } finally {
    client.off('notice', onNotice);
  }
  if (warning !== undefined) throw new NotReplicated(warning);
}

const SHOW_TENANT = "SELECT set_config('catalog.tenant', $1, false)";

const names = new Map<string, string>();

/** Returns the name of a prepared statement, which is the same on every connection. */
function nameOf(sql: string): string {
  let name = names.get(sql);
  if (name === undefined) {
    name = bytesHash(sql).slice('sha256:'.length, 'sha256:'.length + 24);
    names.set(sql, name);
  }
  return name;
}

export function clientQueries(client: ClientBase): Queries {
  function query<Row extends object>(sql: string, parameters: Parameter[]) {
    return client.query<Row>({ name: nameOf(sql), text: sql, values: parameters });
  }
  return {
    rows: async <Row extends object>(sql: Sql<Row>, ...parameters: Parameter[]) =>
      (await query<Row>(sql, parameters)).rows,
    row: async <Row extends object>(sql: Sql<Row>, ...parameters: Parameter[]) =>
      (await query<Row>(sql, parameters)).rows[0],
    run: async (sql, ...parameters) => (await query(sql, parameters)).rowCount ?? 0,
    async insert(table, rows, onConflict) {
      const sql = insertRows(table, onConflict);
      let written = 0;
      for (const some of batches(rows)) {
        const values = some.map((row) => parametersOf(table, row));
        const { rowCount } = await client.query({
          name: nameOf(sql),
          text: sql,
          values: Object.keys(table.columns).map((_, at) => values.map((row) => row[at])),
        });
        written += rowCount ?? 0;
      }
      return written;
    },
  };
}

const TYPES: Readonly<Record<ColumnKind, string>> = {
  integer: 'bigint',
  text: 'text',
  time: 'timestamptz',
  flag: 'boolean',
  json: 'json',
  texts: 'text[]',
};

/** Inserts rows in the given order, with one array parameter per column. */
function insertRows<Row extends object>(table: Table<Row>, onConflict = ''): string {
  const columns = columnNames(table);
  const arrays = Object.values<ColumnKind>(table.columns).map(
    (kind, at) => `$${at + 1}::${TYPES[kind]}[]`,
  );
  return `INSERT INTO ${table.name} (${columns})
    SELECT ${columns} FROM unnest(${arrays.join(', ')}) WITH ORDINALITY AS given (${columns}, at)
    ORDER BY at ${onConflict}`;
}
