import type { DeliveryWrites } from '@catalog/core/ports/deliveries';
import type { Dialect } from './dialect.ts';
import { NO_TENANT, type Transaction } from './queries.ts';
import type { Sql } from './sql.ts';

const RECORD = `INSERT INTO deliveries (tenant, layer, delivery_id, job, received_at)
  VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`;
const GET_JOB: Sql<{ job: string }> =
  'SELECT job FROM deliveries WHERE tenant = $1 AND layer = $2 AND delivery_id = $3';
const RENEW = `UPDATE deliveries SET job = $4, received_at = $5
  WHERE tenant = $1 AND layer = $2 AND delivery_id = $3`;

export function deliveryWrites({ beside }: Transaction, dialect: Dialect): DeliveryWrites {
  return {
    record: (tenant, layer, { delivery_id, job, now }) =>
      beside(tenant, async (queries) => {
        // On PostgreSQL, the second of two concurrent deliveries waits for the first one here.
        const added = await queries.run(RECORD, tenant, layer, delivery_id, job, now);
        if (added === 1) return undefined;
        const row = await queries.row(GET_JOB, tenant, layer, delivery_id);
        return row?.job;
      }),
    renew: (tenant, layer, { delivery_id, job, now }) =>
      beside(tenant, async (queries) => {
        await queries.run(RENEW, tenant, layer, delivery_id, job, now);
      }),
    prune: (before, max_deleted) =>
      beside(NO_TENANT, (queries) => dialect.pruneDeliveries(queries, before, max_deleted)),
  };
}
