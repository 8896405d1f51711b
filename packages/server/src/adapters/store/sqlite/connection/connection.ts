import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Sql } from '../../shared/sql.ts';
import { translateSql } from './translate-sql.ts';

export interface Statement<Row extends object> {
  all(...parameters: SQLInputValue[]): Row[];
  get(...parameters: SQLInputValue[]): Row | undefined;
  /** Yields rows one at a time, for results that do not fit into memory. */
  iterate(...parameters: SQLInputValue[]): Iterable<Row>;
  run(...parameters: SQLInputValue[]): {
    changes: number | bigint;
    lastInsertRowid: number | bigint;
  };
}

export interface Connection {
  /**
   * Prepares a statement. The SQL must come from a bounded set: values are parameters, lists are
   * JSON for `json_each`. On hot paths it is a constant because a newly built string must be hashed
   * again.
   */
  statement<Row extends object>(sql: Sql<Row>): Statement<NoInfer<Row>>;
  exec(sql: string): void;
  /** Returns false if SQLite itself ended the transaction. */
  inTransaction(): boolean;
  close(): void;
}

/**
 * Runs a step synchronously, so that several statements see one state of the store. Reads outside a
 * transaction use the reading connection; all steps of a transaction use the writing one.
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

/** Only a checkpoint of the other connection can cause a wait. */
const BUSY_TIMEOUT_MS = 5_000;
