import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Sql } from '../../shared/sql.ts';
import { translateSql } from './translate-sql.ts';

/** A prepared statement; `Row` is the shape its columns have. */
export interface Statement<Row extends object> {
  all(...parameters: SQLInputValue[]): Row[];
  get(...parameters: SQLInputValue[]): Row | undefined;
  /** The rows one after the other, for what does not fit into memory. */
  iterate(...parameters: SQLInputValue[]): Iterable<Row>;
  run(...parameters: SQLInputValue[]): {
    changes: number | bigint;
    lastInsertRowid: number | bigint;
  };
}

/** One connection to the file. Its statements are prepared once and kept. */
export interface Connection {
  /**
   * The text must come from a bounded set: values are parameters, lists are JSON for `json_each`. On
   * hot paths it is a constant, since a text put together anew is hashed anew.
   */
  statement<Row extends object>(sql: Sql<Row>): Statement<NoInfer<Row>>;
  /** Statements without parameters: pragmas, schemas, the frame of a transaction. */
  exec(sql: string): void;
  /** True between `BEGIN` and its end, also when SQLite itself ended it. */
  inTransaction(): boolean;
  close(): void;
}

/**
 * Runs one step on a connection, from its first statement to its last without a pause, so that a
 * step made of several statements sees one state of the store. How sub-stores reach their connection:
 * reads outside a transaction get the reading one, everything inside gets the writing one.
 */
export type Run = <Result>(step: (connection: Connection) => Result) => Promise<Result>;

export function openConnection(path: string, options: { read_only: boolean }): Connection {
  const database = new DatabaseSync(path, {
    readOnly: options.read_only,
    timeout: BUSY_TIMEOUT_MS,
    enableForeignKeyConstraints: false,
    allowExtension: false,
  });
  const statements = new Map<string, Statement<object>>();
  // What its rows look like is the word of the caller, who wrote the SQL.
  function statement<Row extends object>(sql: Sql<Row>): Statement<NoInfer<Row>>;
  function statement(sql: string): Statement<object> {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const prepared = database.prepare(translateSql(sql));
    statements.set(sql, prepared);
    return prepared;
  }
  return {
    statement,
    exec: (sql) => database.exec(sql),
    inTransaction: () => database.isTransaction,
    close: () => database.close(),
  };
}

/** Only a checkpoint of the other connection is ever waited for. */
const BUSY_TIMEOUT_MS = 5_000;
