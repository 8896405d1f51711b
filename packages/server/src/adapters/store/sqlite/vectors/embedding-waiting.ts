import type { Connection } from '../connection/connection.ts';
import { inSteps } from '../connection/steps.ts';
import type { Transaction } from '../transaction.ts';
import { removeOf, type Embedded } from './rows.ts';

/** Marks texts as pending. Documents keep their former vectors until they are embedded again. */
export async function markPending(
  transaction: Transaction,
  embedded: Embedded,
  ids: readonly string[],
): Promise<void> {
  const { tenant, layer, kind } = embedded;
  await inSteps(transaction.run, ids, (connection, some) => {
    if (kind === 'domain') removeOf(connection, embedded, some);
    connection
      .statement(WAIT)
      .run(tenant, layer, kind, JSON.stringify(some), takeStamps(connection, some.length));
  });
  transaction.announce();
}

export async function forgetVectors(
  transaction: Transaction,
  embedded: Embedded,
  ids: readonly string[],
): Promise<void> {
  const { tenant, layer, kind } = embedded;
  await inSteps(transaction.run, ids, (connection, some) => {
    transaction.noteVectors(removeOf(connection, embedded, some));
    const removed = JSON.stringify(some);
    connection.statement(STOP_WAITING).run(tenant, layer, kind, removed);
    connection
      .statement(MARK_REMOVED)
      .run(tenant, layer, kind, removed, takeStamps(connection, some.length));
  });
  transaction.announce();
}

/** Reserves stamps and returns the first one. Stamps increase and are unique per model. */
export function takeStamps(connection: Connection, count: number): number {
  const row = connection
    .statement<{ last: number }>('UPDATE embedding_stamps SET last = last + ? RETURNING last')
    .get(count);
  return (row?.last ?? 0) - count + 1;
}

export const NOW = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;

const WAIT = `
  INSERT INTO embedding_waiting (model, tenant, layer, kind, id, stamp, since)
  SELECT m.model, ?1, ?2, ?3, named.value, ?5 + named.key, ${NOW}
  FROM embedding_models m CROSS JOIN json_each(?4) named WHERE true
  ON CONFLICT DO UPDATE SET stamp = excluded.stamp, attempts = 0, removed = 0, not_before = '',
    reason = NULL`;

const STOP_WAITING = `
  DELETE FROM embedding_waiting
  WHERE model IN (SELECT model FROM embedding_models WHERE external = 0)
    AND tenant = ?1 AND layer = ?2 AND kind = ?3 AND id IN (SELECT value FROM json_each(?4))`;

const MARK_REMOVED = `
  INSERT INTO embedding_waiting (model, tenant, layer, kind, id, stamp, since, removed)
  SELECT m.model, ?1, ?2, ?3, named.value, ?5 + named.key, ${NOW}, 1
  FROM embedding_models m CROSS JOIN json_each(?4) named WHERE m.external = 1
  ON CONFLICT DO UPDATE SET stamp = excluded.stamp, attempts = 0, removed = 1, not_before = '',
    reason = NULL, run = NULL`;
