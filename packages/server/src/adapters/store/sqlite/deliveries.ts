import type { DeliveryWrites } from '@catalog/core/ports/deliveries';
import { LIMIT } from './limit.ts';
import type { Transaction } from './transaction.ts';

const PRUNE = `DELETE FROM deliveries WHERE (tenant, layer, delivery_id) IN
  (SELECT tenant, layer, delivery_id FROM deliveries WHERE received_at < ? ${LIMIT})`;

export function deliveryWrites({ run }: Transaction): DeliveryWrites {
  return {
    record: (tenant, layer, { delivery_id, job, now }) =>
      run((connection) => {
        const { changes } = connection
          .statement(
            `INSERT INTO deliveries (tenant, layer, delivery_id, job, received_at)
             VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
          )
          .run(tenant, layer, delivery_id, job, now);
        if (changes === 1) return undefined;
        return connection
          .statement<{ job: string }>(
            'SELECT job FROM deliveries WHERE tenant = ? AND layer = ? AND delivery_id = ?',
          )
          .get(tenant, layer, delivery_id)?.job;
      }),
    renew: (tenant, layer, { delivery_id, job, now }) =>
      run((connection) => {
        connection
          .statement(
            `UPDATE deliveries SET job = ?, received_at = ?
             WHERE tenant = ? AND layer = ? AND delivery_id = ?`,
          )
          .run(job, now, tenant, layer, delivery_id);
      }),
    prune: (before, most) =>
      run((connection) => Number(connection.statement(PRUNE).run(before, most).changes)),
  };
}
