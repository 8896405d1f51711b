import type { EventBody } from '@catalog/contract/events';
import type { OutboxReads, OutboxWrites } from '@catalog/core/ports/outbox';
import type { Run } from './connection.ts';
import { readJson, type JsonText } from './json-column.ts';
import { LIMIT } from './limit.ts';
import { takeNumbers } from './tenant-counters.ts';
import type { Transaction } from './transaction.ts';

const LIST_AFTER = `SELECT sequence, body FROM outbox WHERE tenant = ? AND sequence > ?
  ORDER BY sequence ${LIMIT}`;
// Sequences have no gaps, so that nothing is counted row by row.
const COUNT = `SELECT coalesce(sum(event_sequence - oldest + 1), 0) AS events
  FROM (SELECT event_sequence,
    (SELECT min(sequence) FROM outbox o WHERE o.tenant = t.tenant) AS oldest FROM tenants t)`;
// The first event to keep ends the prefix that goes, also where a clock once ran backwards.
const PRUNE = `WITH oldest AS (
    SELECT sequence, timestamp FROM outbox WHERE tenant = ? ORDER BY sequence ${LIMIT})
  DELETE FROM outbox WHERE tenant = ? AND sequence < coalesce(
    (SELECT min(sequence) FROM oldest WHERE timestamp >= ?),
    (SELECT max(sequence) + 1 FROM oldest))`;

export function outboxReads(run: Run): OutboxReads {
  return {
    listAfter: (tenant, sequence, limit) =>
      run((connection) =>
        connection
          .statement<{ sequence: number; body: JsonText<EventBody> }>(LIST_AFTER)
          .all(tenant, sequence, limit)
          .map((row) => ({ sequence: row.sequence, body: readJson(row.body) })),
      ),
    bounds: (tenant) =>
      run((connection) => {
        const row = connection
          .statement<{ newest: number; oldest: number }>(
            `SELECT event_sequence AS newest, coalesce(
               (SELECT min(sequence) FROM outbox WHERE tenant = ?1),
               event_sequence + (event_sequence > 0)) AS oldest
             FROM tenants WHERE tenant = ?1`,
          )
          .get(tenant);
        return { oldest: row?.oldest ?? 0, newest: row?.newest ?? 0 };
      }),
    count: () =>
      run((connection) => connection.statement<{ events: number }>(COUNT).get()?.events ?? 0),
  };
}

export function outboxWrites(transaction: Transaction): OutboxWrites {
  const { run } = transaction;
  return {
    ...outboxReads(run),
    async append(tenant, events) {
      if (events.length === 0) return;
      await run((connection) => {
        // One writer at a time, and the counter is rolled back with it: commits number without a gap.
        let sequence = takeNumbers(connection, tenant, 'event_sequence', events.length);
        const insert = connection.statement(
          'INSERT INTO outbox (tenant, sequence, timestamp, body) VALUES (?, ?, ?, ?)',
        );
        for (const body of events) {
          insert.run(tenant, sequence++, body.timestamp, JSON.stringify(body));
        }
      });
      transaction.announce();
    },
    prune: (tenant, before, most) =>
      run((connection) =>
        Number(connection.statement(PRUNE).run(tenant, most, tenant, before).changes),
      ),
  };
}
