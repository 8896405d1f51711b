import type { DeliveryWrites } from '@catalog/core/ports/deliveries';
import { NO_TENANT } from './queries.ts';
import type { Transaction } from './transaction.ts';

const RECORD = `INSERT INTO deliveries (tenant, layer, delivery_id, job, received_at)
  VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`;
const GET_JOB = 'SELECT job FROM deliveries WHERE tenant = $1 AND layer = $2 AND delivery_id = $3';
const RENEW = `UPDATE deliveries SET job = $4, received_at = $5
  WHERE tenant = $1 AND layer = $2 AND delivery_id = $3`;
const PRUNE = 'SELECT prune_deliveries($1, $2) AS pruned';

export function deliveryWrites({ beside }: Transaction): DeliveryWrites {
  return {
    record: (tenant, layer, { delivery_id, job, now }) =>
      beside(tenant, async (queries) => {
        // One of two that come at once waits here for the other's end.
        const added = await queries.run(RECORD, tenant, layer, delivery_id, job, now);
        if (added === 1) return undefined;
        const row = await queries.row<{ job: string }>(GET_JOB, tenant, layer, delivery_id);
        return row?.job;
      }),
    renew: (tenant, layer, { delivery_id, job, now }) =>
      beside(tenant, async (queries) => {
        await queries.run(RENEW, tenant, layer, delivery_id, job, now);
      }),
    prune: (before, most) =>
      beside(NO_TENANT, async (queries) => {
        const row = await queries.row<{ pruned: number }>(PRUNE, before, most);
        return row?.pruned ?? 0;
      }),
  };
}
