import type { ArchiveRows } from '@catalog/core/ports/archive';
import type { PlainRows } from '@catalog/core/ports/plain-tables';
import type { Receiver, ReceiverReads, ReceiverWrites } from '@catalog/core/ports/receivers';
import type { Tenant } from '@catalog/core/ports/tenant';
import { newReceiver, toKept } from '@catalog/core/webhook/kept-receiver';
import type { Queries, Run, Transaction } from './queries.ts';
import type { Sql } from './sql.ts';
import { columnNames, plainTable, readRow } from './table.ts';

type ReceiverRow = PlainRows['receivers'];

const RECEIVERS = plainTable('receivers');
const COLUMNS = columnNames(RECEIVERS);
const GET = `SELECT ${COLUMNS} FROM receivers WHERE tenant = $1 AND receiver = $2`;
const LOCK = `${GET} FOR UPDATE`;
const LIST: Sql<ReceiverRow> = `SELECT ${COLUMNS} FROM receivers WHERE tenant = $1 ORDER BY created_at, receiver`;
const DEFINE = `UPDATE receivers SET url = $3, secret = $4, previous_secret = $5,
    previous_secret_until = $6, event_filter = $7, debounce_ms = $8, ordered = $9,
    disabled_by = $10, window_end = NULL
  WHERE tenant = $1 AND receiver = $2`;
const SET_HEALTH = `UPDATE receivers SET disabled_by = $3, paused_until = $4, failure_count = $5,
    failing_since = $6, last_delivery = $7, last_failure = $8
  WHERE tenant = $1 AND receiver = $2`;
const SET_CURSOR = `UPDATE receivers SET cursor = $3, window_end = NULL
  WHERE tenant = $1 AND receiver = $2`;
const REMOVE = 'DELETE FROM receivers WHERE tenant = $1 AND receiver = $2';
const REMOVE_DISPATCHES = 'DELETE FROM dispatches WHERE tenant = $1 AND receiver = $2';

export function receiverReads(run: Run): ReceiverReads {
  return {
    get: (tenant, id) => run(tenant, (queries) => getReceiver(queries, GET, tenant, id)),
    list: (tenant) =>
      run(tenant, async (queries) => {
        const rows = await queries.rows(LIST, tenant);
        return rows.map(toReceiver);
      }),
  };
}

/**
 * Creates the writes of receivers. They use row locks of receivers, so that sending does not delay other changes to the
 * tenant.
 */
export function receiverWrites(transaction: Transaction): ReceiverWrites {
  const { beside } = transaction;
  return {
    ...receiverReads(beside),
    async add(tenant, receiver) {
      await beside(tenant, (queries) => queries.insert(RECEIVERS, [toRow(tenant, receiver)]));
      transaction.announce();
    },
    lock: (tenant, id) => beside(tenant, (queries) => getReceiver(queries, LOCK, tenant, id)),
    async define(tenant, id, definition) {
      const { event_filter } = definition;
      await beside(tenant, (queries) =>
        queries.run(
          DEFINE,
          tenant,
          id,
          definition.url,
          definition.secret,
          definition.previous_secret,
          definition.previous_secret_until,
          event_filter === null ? null : JSON.stringify(event_filter),
          definition.debounce_ms,
          definition.ordered,
          definition.disabled_by,
        ),
      );
      transaction.announce();
    },
    setHealth: (tenant, id, health) =>
      beside(tenant, async (queries) => {
        await queries.run(
          SET_HEALTH,
          tenant,
          id,
          health.disabled_by,
          health.paused_until,
          health.failure_count,
          health.failing_since,
          health.last_delivery,
          health.last_failure,
        );
      }),
    setCursor: (tenant, id, cursor) =>
      beside(tenant, async (queries) => {
        await queries.run(SET_CURSOR, tenant, id, cursor);
      }),
    remove: (tenant, id) =>
      beside(tenant, async (queries) => {
        const removed = await queries.run(REMOVE, tenant, id);
        await queries.run(REMOVE_DISPATCHES, tenant, id);
        return removed > 0;
      }),
  };
}

async function getReceiver(
  queries: Queries,
  sql: Sql<ReceiverRow>,
  tenant: Tenant,
  id: string,
): Promise<Receiver | undefined> {
  const row = await queries.row(sql, tenant, id);
  return row && toReceiver(row);
}

function toRow(tenant: Tenant, { id, ...rest }: Receiver): ReceiverRow {
  return { tenant, receiver: id, ...rest };
}

function toReceiver(row: ReceiverRow): Receiver {
  const { tenant: _, receiver: id, ...rest } = readRow(RECEIVERS, row);
  return { id, ...rest };
}

export function toArchivedReceiver(stored: object): ArchiveRows['receivers'] {
  const { tenant, receiver: id, ...rest } = readRow(RECEIVERS, stored);
  return { tenant, ...toKept({ id, ...rest }) };
}

const NEWEST_EVENT: Sql<{ newest: number }> =
  'SELECT event_sequence AS newest FROM tenants WHERE tenant = $1';

/** Stores restored receivers as disabled, with their cursors after the last event. */
export async function putRestoredReceivers(
  queries: Queries,
  rows: readonly ArchiveRows['receivers'][],
): Promise<void> {
  for (const { tenant, ordered = false, ...receiver } of rows) {
    const row = await queries.row(NEWEST_EVENT, tenant);
    const restored = newReceiver(
      { ...receiver, ordered, disabled_by: 'restore' },
      row?.newest ?? 0,
    );
    await queries.insert(RECEIVERS, [toRow(tenant, restored)]);
  }
}
