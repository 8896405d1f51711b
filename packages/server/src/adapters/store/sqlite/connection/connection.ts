import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Sql } from '../../shared/sql.ts';
import { translateSql } from './translate-sql.ts';

export interface Statement<Row extends object> {
  all(...parameters: SQLInputValue[]): Row[];
  get(...parameters: SQLInputValue[]): Row | undefined;
  /** Yields rows one at a time, for results that do not fit in memory. */
  iterate(...parameters: SQLInputValue[]): Iterable<Row>;
  run(...parameters: SQLInputValue[]): {
    changes: number | bigint;
    lastInsertRowid: number | bigint;
  };
}

export interface Connection {
  /**
   * Prepares a statement. The SQL must come from a bounded set: use parameters for values and `json_each` for lists.
   * Frequent statements are constants, because SQLite must hash a newly built string again.
   */
  statement<Row extends object>(sql: Sql<Row>): Statement<NoInfer<Row>>;
  exec(sql: string): void;
  /** Returns false if SQLite has already ended the transaction. */
  inTransaction(): boolean;
  close(): void;
}

/**
 * Runs a synchronous step, so that all its statements see the same state. Reads outside a transaction use the reading
 * connection, all others the writing one.
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

/** Maximum wait for the other connection; only its checkpoints block. */
const BUSY_TIMEOUT_MS = 5_000;
