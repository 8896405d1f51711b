import type { DeliveryWrites } from '@catalog/core/ports/deliveries';
import type { Transaction } from './transaction.ts';

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
    prune: (before) =>
      run((connection) => {
        connection.statement('DELETE FROM deliveries WHERE received_at < ?').run(before);
      }),
  };
}
