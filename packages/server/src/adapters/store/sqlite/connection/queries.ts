import type { SQLInputValue } from 'node:sqlite';
import type { Parameter } from '../../shared/parameter.ts';
import type {
  Queries,
  Run as SharedRun,
  Transaction as SharedTransaction,
} from '../../shared/queries.ts';
import type { Sql } from '../../shared/sql.ts';
import { insertInto, parametersOf } from '../../shared/table.ts';
import type { Run } from './connection.ts';
import { inSteps } from './steps.ts';
import type { Transaction } from '../transaction.ts';

export function queriesOver(run: Run): Queries {
  return {
    rows: (sql, ...parameters) =>
      run((connection) => connection.statement(sql).all(...parameters.map(bind))),
    row: (sql, ...parameters) =>
      run((connection) => connection.statement(sql).get(...parameters.map(bind))),
    run: (sql, ...parameters) =>
      run((connection) => Number(connection.statement(sql).run(...parameters.map(bind)).changes)),
    async insert(table, rows, onConflict) {
      const sql: Sql<never> = insertInto(table, onConflict);
      let written = 0;
      await inSteps(run, rows, (connection, some) => {
        const insert = connection.statement(sql);
        for (const row of some) {
          written += Number(insert.run(...parametersOf(table, row).map(bind)).changes);
        }
      });
      return written;
    },
  };
}

/**
 * Creates the queries of SQLite. They ignore the tenant, because all tenants share one file and each statement filters
 * by tenant.
 */
export function runOver(run: Run): SharedRun {
  const queries = queriesOver(run);
  return (_tenant, step) => step(queries);
}

export function sharedTransaction(transaction: Transaction): SharedTransaction {
  const run = runOver(transaction.run);
  return { ...transaction, run, beside: run };
}

function bind(value: Parameter): SQLInputValue {
  if (typeof value === 'boolean') return Number(value);
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value;
  return JSON.stringify(value);
}
