import type { Tenant } from '@catalog/core/ports/tenant';
import type { LayerStack, ViewCounts } from '@catalog/core/ports/versions';
import {
  composeCounts,
  readHolders,
  writeHolders,
  type CountChanges,
  type Holder,
} from '@catalog/core/view/view-counts';
import type { Connection } from '../connection/connection.ts';

export function storeCounts(connection: Connection, tenant: Tenant, changes: CountChanges): void {
  for (const { layer, type, sensitivity, by } of changes.heads()) {
    const key = [tenant, layer, type, sensitivity] as const;
    connection
      .statement(
        `INSERT INTO head_counts (tenant, layer, type, sensitivity, heads) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET heads = heads + excluded.heads`,
      )
      .run(...key, by);
    connection
      .statement(
        `DELETE FROM head_counts
         WHERE tenant = ? AND layer = ? AND type = ? AND sensitivity = ? AND heads = 0`,
      )
      .run(...key);
  }
  for (const { holders, by } of changes.overlaps()) {
    const text = writeHolders(holders);
    connection
      .statement(
        `INSERT INTO overlaps (tenant, holders, ids) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET ids = ids + excluded.ids`,
      )
      .run(tenant, text, by);
    connection
      .statement('DELETE FROM overlaps WHERE tenant = ? AND holders = ? AND ids = 0')
      .run(tenant, text);
  }
}

export function countView(connection: Connection, tenant: Tenant, layers: LayerStack): ViewCounts {
  const heads = connection.statement<Holder & { heads: number }>(
    'SELECT layer, type, sensitivity, heads FROM head_counts WHERE tenant = ? AND layer = ?',
  );
  const overlaps = connection
    .statement<{ holders: string; ids: number }>(
      'SELECT holders, ids FROM overlaps WHERE tenant = ?',
    )
    .all(tenant);
  return composeCounts(
    layers,
    layers.flatMap((layer) => heads.all(tenant, layer)),
    overlaps.map(({ holders, ids }) => ({ holders: readHolders(holders), ids })),
  );
}
