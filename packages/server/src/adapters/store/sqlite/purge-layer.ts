import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import { purgePlainRows } from '../shared/purge-plain-rows.ts';
import { withdrawHeads } from '../withdraw-heads.ts';
import type { Connection, Run } from './connection/connection.ts';
import { queriesOver } from './connection/queries.ts';
import { LIMIT } from './connection/limit.ts';
import { deleteContent, type StoredContent } from './versions/delete-content.ts';

const ROWS_AT_ONCE = 200;

/**
 * Deletes a layer but keeps its ledger, number and revision: if the id is registered again, they continue (SPEC-7).
 * Also deletes blobs that no other version uses.
 */
export async function purgeLayer(
  run: Run,
  writes: Pick<StoreWrites, 'versions' | 'search' | 'domains'>,
  tenant: Tenant,
  layer: LayerNumber,
): Promise<void> {
  await withdrawHeads(writes, tenant, layer, { heads: ROWS_AT_ONCE, afterwards: nextTurn });
  while ((await run((connection) => deleteVersions(connection, tenant, layer))) > 0) {
    await nextTurn();
  }
  await run((connection) => deleteRejections(connection, tenant, layer));
  await purgePlainRows(queriesOver(run), 'sqlite', tenant, layer);
}

function deleteVersions(connection: Connection, tenant: Tenant, layer: LayerNumber): number {
  const rows = connection
    .statement<StoredContent>(
      `SELECT vid, files, manifest, skill FROM versions WHERE tenant = ? AND layer = ? ${LIMIT}`,
    )
    .all(tenant, layer, ROWS_AT_ONCE);
  deleteContent(connection, tenant, rows);
  return rows.length;
}

function deleteRejections(connection: Connection, tenant: Tenant, layer: LayerNumber): void {
  for (const table of ['rejections', 'rejection_awaits']) {
    connection.statement(`DELETE FROM ${table} WHERE tenant = ? AND layer = ?`).run(tenant, layer);
  }
}
