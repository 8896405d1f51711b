import { INLINE_CUTOFF_BYTES } from '@catalog/contract/limits';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import { withdrawHeads } from '../withdraw-heads.ts';
import { purgePlainRows } from '../shared/purge-plain-rows.ts';
import type { Queries, Run } from '../shared/queries.ts';
import type { Sql } from '../shared/sql.ts';
import { deleteContent, type StoredContent } from './versions/delete-content.ts';

const ROWS_AT_ONCE = 1000;

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
  await withdrawHeads(writes, tenant, layer, { heads: ROWS_AT_ONCE });
  await run(tenant, async (queries) => {
    while ((await deleteVersions(queries, tenant, layer)) > 0);
    for (const sql of DELETE_RECORDS) await queries.run(sql, tenant, layer);
    await purgePlainRows(queries, 'postgres', tenant, layer);
  });
}

const LIST_VERSIONS: Sql<StoredContent> = `SELECT id, version, files,
    CASE WHEN octet_length(manifest) > $3 THEN manifest END AS manifest,
    CASE WHEN octet_length(skill) > $3 THEN skill END AS skill
  FROM versions WHERE tenant = $1 AND layer = $2 ORDER BY id, version LIMIT $4`;
const DELETE_RECORDS = [
  'DELETE FROM head_counts WHERE tenant = $1 AND layer = $2',
  'DELETE FROM rejections WHERE tenant = $1 AND layer = $2',
  'DELETE FROM rejection_awaits WHERE tenant = $1 AND layer = $2',
];

async function deleteVersions(
  queries: Queries,
  tenant: Tenant,
  layer: LayerNumber,
): Promise<number> {
  const rows = await queries.rows(LIST_VERSIONS, tenant, layer, INLINE_CUTOFF_BYTES, ROWS_AT_ONCE);
  await deleteContent(queries, tenant, layer, rows);
  return rows.length;
}
