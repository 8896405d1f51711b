import type { OutboxEvent, OutboxReads, OutboxWrites } from '@catalog/core/ports/outbox';
import type { Dialect } from './dialect.ts';
import { NO_TENANT, type Run, type Transaction } from './queries.ts';
import { plainTable, readJson } from './table.ts';
import { takeNumbers } from './tenant-counters.ts';
import type { Sql } from './sql.ts';

const OUTBOX = plainTable('outbox');
const LIST_AFTER: Sql<OutboxEvent> = `SELECT sequence, body FROM outbox WHERE tenant = $1 AND sequence > $2
  ORDER BY sequence LIMIT $3`;
const BOUNDS: Sql<{ oldest: number; newest: number }> = `SELECT event_sequence AS newest, coalesce(
    (SELECT min(sequence) FROM outbox WHERE tenant = $1),
    event_sequence + CAST(event_sequence > 0 AS integer)) AS oldest
  FROM tenants WHERE tenant = $1`;
// Removes only events before the first one to keep, because a clock may have run backwards.
const PRUNE = `WITH oldest AS (
    SELECT sequence, timestamp FROM outbox WHERE tenant = $1 ORDER BY sequence LIMIT $3)
  DELETE FROM outbox WHERE tenant = $1 AND sequence < coalesce(
    (SELECT min(sequence) FROM oldest WHERE timestamp >= $2),
    (SELECT max(sequence) + 1 FROM oldest))`;

export function outboxReads(run: Run, { COUNT_EVENTS }: Dialect): OutboxReads {
  return {
    listAfter: (tenant, sequence, limit) =>
      run(tenant, async (queries) => {
        const rows = await queries.rows(LIST_AFTER, tenant, sequence, limit);
        return rows.map((row) => ({ sequence: row.sequence, body: readJson(row.body) }));
      }),
    bounds: (tenant) =>
      run(tenant, async (queries) => {
        const row = await queries.row(BOUNDS, tenant);
        return row ?? { oldest: 0, newest: 0 };
      }),
    count: () =>
      run(NO_TENANT, async (queries) => {
        const row = await queries.row(COUNT_EVENTS);
        return row?.events ?? 0;
      }),
  };
}

export function outboxWrites(transaction: Transaction, dialect: Dialect): OutboxWrites {
  const { run } = transaction;
  return {
    ...outboxReads(run, dialect),
    async append(tenant, events) {
      if (events.length === 0) return;
      await run(tenant, async (queries) => {
        // The counter is locked and rolled back with the transaction, so committed numbers have no
        // gaps.
        const first = await takeNumbers(queries, tenant, 'event_sequence', events.length);
        const rows = events.map((body, at) => ({
          tenant,
          sequence: first + at,
          timestamp: body.timestamp,
          body,
        }));
        await queries.insert(OUTBOX, rows);
      });
      transaction.announce();
    },
    prune: (tenant, before, max_deleted) =>
      run(tenant, (queries) => queries.run(PRUNE, tenant, before, max_deleted)),
  };
}
