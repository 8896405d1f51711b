import {
  TEST_EVENT,
  toUnsent,
  type Dispatch,
  type DispatchReads,
  type DispatchWrites,
  type NewDispatch,
} from '@catalog/core/ports/dispatches';
import type { PlainRows } from '@catalog/core/ports/plain-tables';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Dialect } from './dialect.ts';
import { NO_TENANT, type Run, type Transaction } from './queries.ts';
import type { Sql } from './sql.ts';
import { columnNames, plainTable, readRow } from './table.ts';

type DispatchRow = PlainRows['dispatches'];

const DISPATCHES = plainTable('dispatches');
const COLUMNS = columnNames(DISPATCHES);
const OF_RECEIVER = 'tenant = $1 AND receiver = $2';
const GET: Sql<DispatchRow> = `SELECT ${COLUMNS} FROM dispatches WHERE ${OF_RECEIVER} AND dispatch = $3`;
const NEWEST_FIRST = 'ORDER BY created_at DESC, dispatch DESC LIMIT $5';
const LIST: Sql<DispatchRow> = `SELECT ${COLUMNS} FROM dispatches
  WHERE ${OF_RECEIVER} AND (created_at, dispatch) < ($3, $4) ${NEWEST_FIRST}`;
const LIST_IN_STATE: Sql<DispatchRow> = `SELECT ${COLUMNS} FROM dispatches
  WHERE ${OF_RECEIVER} AND state = $6 AND (created_at, dispatch) < ($3, $4) ${NEWEST_FIRST}`;
const END_OF_TIME = '9999-12-31T23:59:59.999Z';
const COUNT_PENDING: Sql<{ pending: number; due: number }> =
  `SELECT count(*) FILTER (WHERE event <> '${TEST_EVENT}') AS pending, count(*) FILTER (WHERE not_before <= $3) AS due
  FROM dispatches WHERE ${OF_RECEIVER} AND state = 'pending'`;
const ADVANCE = `UPDATE receivers SET cursor = $4, window_end = $5
  WHERE ${OF_RECEIVER} AND cursor = $3 AND disabled_by IS NULL`;
const CLAIM: Sql<DispatchRow> = `WITH next AS MATERIALIZED (
    SELECT dispatch FROM dispatches
    WHERE ${OF_RECEIVER} AND state = 'pending' AND not_before <= $3
    ORDER BY not_before LIMIT $6 FOR UPDATE SKIP LOCKED)
  UPDATE dispatches SET worker = $5, not_before = $4, fence = fence + 1
  WHERE ${OF_RECEIVER} AND dispatch IN (SELECT dispatch FROM next)
  RETURNING ${COLUMNS}`;
/**
 * Claims the oldest dispatches. An older dispatch that is claimed or due later delays the following ones, unless it is
 * a test.
 */
const CLAIM_OLDEST: Sql<DispatchRow> = `WITH oldest AS MATERIALIZED (
    SELECT dispatch FROM dispatches WHERE ${OF_RECEIVER} AND state = 'pending'
      AND (event <> '${TEST_EVENT}' OR not_before <= $3)
    ORDER BY cursor, created_at, dispatch LIMIT 1 FOR UPDATE)
  UPDATE dispatches SET worker = $5, not_before = $4, fence = fence + 1
  WHERE ${OF_RECEIVER} AND dispatch IN (SELECT dispatch FROM oldest) AND not_before <= $3
  RETURNING ${COLUMNS}`;
const END_UNHELD = `UPDATE dispatches SET worker = NULL, not_before = $5
  WHERE ${OF_RECEIVER} AND state = 'pending' AND worker = $3 AND NOT (dispatch = ANY ($4))`;
const RESET = `state = 'pending', attempts = 0, worker = NULL, fence = fence + 1`;
const RESTART: Sql<DispatchRow> = `UPDATE dispatches SET ${RESET}, not_before = $4
  WHERE ${OF_RECEIVER} AND dispatch = $3 RETURNING ${COLUMNS}`;
const RESTART_FAILED = `UPDATE dispatches SET ${RESET}, not_before = $4
  WHERE ${OF_RECEIVER} AND state = 'failed' AND created_at >= $3`;
const PRUNE = `DELETE FROM dispatches WHERE tenant = $1 AND (receiver, dispatch) IN (
  SELECT receiver, dispatch FROM dispatches
  WHERE tenant = $1 AND created_at < $2 AND state <> 'pending' LIMIT $3)`;

export function dispatchReads(run: Run, dialect: Dialect): DispatchReads {
  return {
    get: (tenant, receiver, id) =>
      run(tenant, async (queries) => {
        const row = await queries.row(GET, tenant, receiver, id);
        return row && toDispatch(row);
      }),
    list: (tenant, receiver, { state, after, limit }) =>
      run(tenant, async (queries) => {
        const { created_at, id } = after ?? { created_at: END_OF_TIME, id: '' };
        const page = [tenant, receiver, created_at, id, limit] as const;
        const rows = await (state === undefined
          ? queries.rows(LIST, ...page)
          : queries.rows(LIST_IN_STATE, ...page, state));
        return rows.map(toDispatch);
      }),
    countPending: (tenant, receiver, now) =>
      run(tenant, async (queries) => {
        const row = await queries.row(COUNT_PENDING, tenant, receiver, now);
        return row ?? { pending: 0, due: 0 };
      }),
    listDue: (now) => run(NO_TENANT, (queries) => queries.rows(dialect.RECEIVERS_DUE, now)),
    listWorkers: () =>
      run(NO_TENANT, async (queries) => {
        const rows = await queries.rows(dialect.DISPATCH_WORKERS);
        return rows.map(({ worker }) => worker);
      }),
    depth: () =>
      run(NO_TENANT, async (queries) => {
        const row = await queries.row(dialect.DISPATCH_DEPTH);
        return row ?? { pending: 0, oldest_created_at: null, disabled_receivers: 0 };
      }),
  };
}

export function dispatchWrites(transaction: Transaction, dialect: Dialect): DispatchWrites {
  const { beside } = transaction;
  return {
    ...dispatchReads(beside, dialect),
    advance: (tenant, receiver, { from, to, window_end, dispatches }) =>
      beside(tenant, async (queries) => {
        // On PostgreSQL, the second of two processes waits here and then finds that the cursor has moved.
        const moved = await queries.run(ADVANCE, tenant, receiver, from, to, window_end);
        if (moved === 0) return false;
        const rows = dispatches.map((dispatch) => toRow(tenant, dispatch));
        if (rows.length > 0) await queries.insert(DISPATCHES, rows);
        return true;
      }),
    async add(tenant, dispatch) {
      await beside(tenant, (queries) => queries.insert(DISPATCHES, [toRow(tenant, dispatch)]));
      transaction.announce();
    },
    claim: (tenant, receiver, { now, until, worker, limit }) =>
      beside(tenant, async (queries) => {
        const claim = [tenant, receiver, now, until, worker, limit];
        const rows = await queries.rows(CLAIM, ...claim);
        return rows.map(toDispatch);
      }),
    claimOldest: (tenant, receiver, { now, until, worker }) =>
      beside(tenant, async (queries) => {
        const claim = [tenant, receiver, now, until, worker];
        const row = await queries.row(CLAIM_OLDEST, ...claim);
        return row && toDispatch(row);
      }),
    finish: (tenant, receiver, results) =>
      beside(tenant, async (queries) => {
        const text = JSON.stringify(results);
        await queries.run(dialect.FINISH_DISPATCHES, tenant, receiver, text);
      }),
    async restart(tenant, receiver, id, now) {
      const row = await beside(tenant, (queries) =>
        queries.row(RESTART, tenant, receiver, id, now),
      );
      transaction.announce();
      return row && toDispatch(row);
    },
    async restartFailed(tenant, receiver, since, now) {
      const restarted = await beside(tenant, (queries) =>
        queries.run(RESTART_FAILED, tenant, receiver, since, now),
      );
      transaction.announce();
      return restarted;
    },
    endUnheldClaims: (tenant, receiver, { worker, held, now }) =>
      beside(tenant, (queries) => queries.run(END_UNHELD, tenant, receiver, worker, held, now)),
    async endClaims(worker) {
      await beside(NO_TENANT, (queries) => queries.run(dialect.END_CLAIMS, worker));
      transaction.announce();
    },
    prune: (tenant, before, max_deleted) =>
      beside(tenant, (queries) => queries.run(PRUNE, tenant, before, max_deleted)),
  };
}

/** Stores the results of dispatches. Skips results whose claim was lost. */
export function finishDispatches(
  results: string,
  receiver = 'dispatches.tenant = $1 AND dispatches.receiver = $2',
): string {
  return `UPDATE dispatches SET state = r.state, attempts = r.attempts, not_before = r.not_before,
    last_attempt = r.last_attempt, status = r.status, duration_ms = r.duration_ms,
    response = r.response, error = r.error, worker = NULL
  FROM ${results}
  WHERE ${receiver} AND dispatches.dispatch = r.id
    AND dispatches.fence = r.fence AND dispatches.state = 'pending'`;
}

function toRow(tenant: Tenant, dispatch: NewDispatch): DispatchRow {
  const { id, ...rest } = toUnsent(dispatch);
  return { tenant, dispatch: id, ...rest };
}

function toDispatch(row: DispatchRow): Dispatch {
  const { tenant: _, dispatch: id, ...rest } = readRow(DISPATCHES, row);
  return { id, ...rest };
}
