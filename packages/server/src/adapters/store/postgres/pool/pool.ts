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

/** Where the schema lives in the database. */
export const SCHEMA = 'catalog';

export interface PoolOptions {
  /** `postgres://user:password@host:port/database?sslmode=...` */
  dsn: string;
  /** Connections at most. */
  size: number;
  /** How long to wait for a connection. */
  connect_timeout_ms: number;
  /** A statement that takes longer is ended; 0 never is. */
  statement_timeout_ms: number;
  /** A wait for a lock that takes longer is ended; 0 never is. */
  lock_timeout_ms: number;
  /** How the server's own list of connections names them. */
  application_name: string;
}

/** One connection, while somebody has it. */
export interface Connection {
  /** Statements for a tenant; asks the server to show its rows where it showed another's. */
  forTenant(tenant: Tenant): Promise<Queries>;
  /** A statement without parameters: the frame of a transaction. */
  exec(sql: string): Promise<void>;
  /** Ends a transaction; throws also where it is committed here but not on the standby it has to be on. */
  commit(): Promise<void>;
  /** After a rollback the server shows the rows of whom it showed before, whoever that was. */
  forgetTenant(): void;
}

export interface Pool {
  /** Gives a connection to `work`; one that `work` found broken is thrown away. */
  use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** The same for a read that runs again elsewhere if `cutReads` ends it. */
  read<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** The same on a connection of its own, whose statements may take as long as they need. */
  useForLong<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** Connections open, idle, and callers that wait for one: for metrics. */
  usage(): { open: number; idle: number; waiting: number };
  /** Ends every connection, whoever has it: for a server that answers nothing and hangs up on nobody. */
  cut(): void;
  /** Ends the connections of reads in progress, and rejects reads that wait for a connection. */
  cutReads(): void;
  close(): Promise<void>;
}

/** Plans are made for the values at hand: a plan for an average tenant reads a large one's rows. */
export const SESSION = [
  'plan_cache_mode=force_custom_plan',
  // Compiling a statement takes longer than running any of these.
  'jit=off',
  'timezone=UTC',
  `search_path=${SCHEMA}`,
];
/** A transaction that its process forgot must not hold its locks for ever. */
const IDLE_IN_TRANSACTION_MS = 60_000;
/** A server that has not ended a statement so long after it should have hangs. */
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
  // An idle connection that breaks leaves the pool; whoever asks next gets another one.
  pool.on('error', () => undefined);
  // One that breaks between the pool and whoever asked is nobody's: its first statement fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const tenants: ShownTenants = new WeakMap();
  /** Callers that wait for a connection, which the pool itself cannot reject. */
  const waiting: Waiting = new Set();
  const waiting_reads: Waiting = new Set();
  /** Connections that reads use. */
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
      // The pool keeps none that met an error of its own either.
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
      // Whoever waits on it is told as well.
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
      // Who asks is counted for a moment although a connection is idle, and gets that one.
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

/** The server says goodbye with its error. */
function isFatal(error: unknown): boolean {
  return (
    error instanceof DatabaseError && (error.severity === 'FATAL' || error.severity === 'PANIC')
  );
}

/** Whose rows a server shows to a connection; where that is not known, it is not here. */
type ShownTenants = WeakMap<ClientBase, Tenant>;

function openConnection(client: ClientBase, tenants: ShownTenants): Connection {
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

/** The class of what the server only warns of. */
const WARNING = '01000';

/**
 * Whoever cancels the wait for a synchronous standby does not undo the commit: the server warns and says
 * that it is done. It is done on the primary alone, and may be lost with it (SPEC-37).
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

/** A statement is prepared under a name of its own, the same on every connection. */
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

/** A statement that inserts rows, in their order, from one array for each column. */
function insertRows<Row extends object>(table: Table<Row>, onConflict = ''): string {
  const columns = columnNames(table);
  const arrays = Object.values<ColumnKind>(table.columns).map(
    (kind, at) => `$${at + 1}::${TYPES[kind]}[]`,
  );
  return `INSERT INTO ${table.name} (${columns})
    SELECT ${columns} FROM unnest(${arrays.join(', ')}) WITH ORDINALITY AS given (${columns}, at)
    ORDER BY at ${onConflict}`;
}
