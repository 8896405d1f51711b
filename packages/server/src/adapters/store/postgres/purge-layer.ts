import { INLINE_CUTOFF_BYTES } from '@catalog/contract/limits';
import { fetchableHashes } from '@catalog/core/artifact/fetchable-hashes';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import { withdrawHeads } from '../withdraw-heads.ts';
import { purgePlainRows } from '../shared/purge-plain-rows.ts';
import type { Queries, Run } from '../shared/queries.ts';
import type { Sql } from '../shared/sql.ts';
import { readBody, type VersionRow } from './versions/rows.ts';

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

const LIST_VERSIONS: Sql<Pick<VersionRow, 'id' | 'version' | 'files' | 'manifest' | 'skill'>> =
  `SELECT id, version, files,
    CASE WHEN octet_length(manifest) > $3 THEN manifest END AS manifest,
    CASE WHEN octet_length(skill) > $3 THEN skill END AS skill
  FROM versions WHERE tenant = $1 AND layer = $2 ORDER BY id, version LIMIT $4`;
const PURGE_VERSIONS = 'SELECT purge_versions($1, $2, $3, $4)';
const DELETE_FILES = `DELETE FROM version_files f
  USING unnest($3::text[], $4::text[], $5::text[]) AS gone (content_hash, id, version)
  WHERE f.tenant = $1 AND f.content_hash = gone.content_hash AND f.layer = $2
    AND f.id = gone.id AND f.version = gone.version`;
const DELETE_BLOBS = `DELETE FROM blobs b USING unnest($2::text[]) AS gone (content_hash)
  WHERE b.tenant = $1 AND b.content_hash = gone.content_hash AND NOT EXISTS (
    SELECT 1 FROM version_files f WHERE f.tenant = $1 AND f.content_hash = gone.content_hash)`;
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
  if (rows.length === 0) return 0;
  const carried = rows.flatMap(({ id, version, files, manifest, skill }) => {
    const bodies = { manifest: readBody(manifest), skill: readBody(skill) };
    return Array.from(fetchableHashes({ files, ...bodies }), (hash) => ({ hash, id, version }));
  });
  const hashes = carried.map(({ hash }) => hash);
  await queries.run(
    DELETE_FILES,
    tenant,
    layer,
    hashes,
    carried.map(({ id }) => id),
    carried.map(({ version }) => version),
  );
  await queries.run(DELETE_BLOBS, tenant, [...new Set(hashes)]);
  await queries.run(
    PURGE_VERSIONS,
    tenant,
    layer,
    rows.map(({ id }) => id),
    rows.map(({ version }) => version),
  );
  return rows.length;
}
