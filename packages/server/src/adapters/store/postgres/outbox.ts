import type { OutboxEvent, OutboxReads, OutboxWrites } from '@catalog/core/ports/outbox';
import { NO_TENANT, type Run } from './queries.ts';
import { takeNumbers } from './tenant-counters.ts';
import type { Transaction } from './transaction.ts';

const LIST_AFTER = `SELECT sequence, body FROM outbox WHERE tenant = $1 AND sequence > $2
  ORDER BY sequence LIMIT $3`;
const BOUNDS = `SELECT event_sequence AS newest, coalesce(
    (SELECT min(sequence) FROM outbox WHERE tenant = $1),
    event_sequence + (event_sequence > 0)::int) AS oldest
  FROM tenants WHERE tenant = $1`;
const APPEND = `INSERT INTO outbox (tenant, sequence, timestamp, body)
  SELECT $1, $2 + at - 1, timestamp, body
  FROM unnest($3::timestamptz[], $4::json[]) WITH ORDINALITY AS e (timestamp, body, at)`;
// The first event to keep ends the prefix that goes, also where a clock once ran backwards.
const PRUNE = `WITH oldest AS (
    SELECT sequence, timestamp FROM outbox WHERE tenant = $1 ORDER BY sequence LIMIT $3)
  DELETE FROM outbox WHERE tenant = $1 AND sequence < coalesce(
    (SELECT min(sequence) FROM oldest WHERE timestamp >= $2),
    (SELECT max(sequence) + 1 FROM oldest))`;

export function outboxReads(run: Run): OutboxReads {
  return {
    listAfter: (tenant, sequence, limit) =>
      run(tenant, (queries) => queries.rows<OutboxEvent>(LIST_AFTER, tenant, sequence, limit)),
    bounds: (tenant) =>
      run(tenant, async (queries) => {
        const row = await queries.row<{ oldest: number; newest: number }>(BOUNDS, tenant);
        return row ?? { oldest: 0, newest: 0 };
      }),
    count: () =>
      run(NO_TENANT, async (queries) => {
        const row = await queries.row<{ events: number }>('SELECT count_events() AS events');
        return row?.events ?? 0;
      }),
  };
}

export function outboxWrites(transaction: Transaction): OutboxWrites {
  const { run } = transaction;
  return {
    ...outboxReads(run),
    async append(tenant, events) {
      if (events.length === 0) return;
      await run(tenant, async (queries) => {
        // The tenant stays locked until the commit, so sequences are committed in their order.
        const first = await takeNumbers(queries, tenant, 'event_sequence', events.length);
        const moments = events.map(({ timestamp }) => timestamp);
        const bodies = events.map((body) => JSON.stringify(body));
        await queries.run(APPEND, tenant, first, moments, bodies);
      });
      transaction.announce();
    },
    prune: (tenant, before, most) =>
      run(tenant, (queries) => queries.run(PRUNE, tenant, before, most)),
  };
}
