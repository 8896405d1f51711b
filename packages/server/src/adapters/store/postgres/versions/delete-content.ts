import { INLINE_CUTOFF_BYTES } from '@catalog/contract/limits';
import { fetchableHashes } from '@catalog/core/artifact/fetchable-hashes';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Queries } from '../../shared/queries.ts';
import type { Sql } from '../../shared/sql.ts';
import { readBody, type VersionRow } from './rows.ts';

export type StoredContent = Pick<VersionRow, 'id' | 'version' | 'files' | 'manifest' | 'skill'>;

const PURGE_VERSIONS = 'SELECT purge_versions($1, $2, $3, $4)';
const DELETE_FILES = `DELETE FROM version_files f
  USING unnest($3::text[], $4::text[], $5::text[]) AS gone (content_hash, id, version)
  WHERE f.tenant = $1 AND f.content_hash = gone.content_hash AND f.layer = $2
    AND f.id = gone.id AND f.version = gone.version`;
const DELETE_BLOBS = `DELETE FROM blobs b USING unnest($2::text[]) AS gone (content_hash)
  WHERE b.tenant = $1 AND b.content_hash = gone.content_hash AND NOT EXISTS (
    SELECT 1 FROM version_files f WHERE f.tenant = $1 AND f.content_hash = gone.content_hash)`;
const LIST_SELECTED: Sql<StoredContent> = `SELECT v.id, v.version, v.files,
    CASE WHEN octet_length(v.manifest) > $5 THEN v.manifest END AS manifest,
    CASE WHEN octet_length(v.skill) > $5 THEN v.skill END AS skill
  FROM unnest($3::text[], $4::text[]) AS s (id, version)
  JOIN versions v ON v.tenant = $1 AND v.layer = $2 AND v.id = s.id AND v.version = s.version`;

export async function purgeVersions(
  queries: Queries,
  tenant: Tenant,
  layer: LayerNumber,
  versions: readonly { id: string; version: string }[],
): Promise<void> {
  const ids = versions.map(({ id }) => id);
  const numbers = versions.map(({ version }) => version);
  const rows = await queries.rows(LIST_SELECTED, tenant, layer, ids, numbers, INLINE_CUTOFF_BYTES);
  await deleteContent(queries, tenant, layer, rows);
}

/** Deletes versions, and the blobs that no other version uses. */
export async function deleteContent(
  queries: Queries,
  tenant: Tenant,
  layer: LayerNumber,
  rows: readonly StoredContent[],
): Promise<void> {
  if (rows.length === 0) return;
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
}
