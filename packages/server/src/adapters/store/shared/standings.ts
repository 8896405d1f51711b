import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { VersionStanding, VersionSummary } from '@catalog/core/ports/versions';
import type { Queries } from './queries.ts';
import { readRow, type Table } from './table.ts';
import type { Sql } from './sql.ts';

const STANDINGS: Table<VersionStanding & { tenant: Tenant; layer: LayerNumber }> = {
  name: 'version_standings',
  columns: {
    tenant: 'integer',
    layer: 'integer',
    id: 'text',
    version: 'text',
    ingest_order: 'integer',
    rolled_back: 'flag',
  },
};
const REPLACE = `ON CONFLICT (tenant, layer, id, version) DO UPDATE
  SET ingest_order = excluded.ingest_order, rolled_back = excluded.rolled_back`;

export async function putStandings(
  queries: Queries,
  tenant: Tenant,
  layer: LayerNumber,
  standings: readonly VersionStanding[],
): Promise<void> {
  const rows = standings.map(({ id, version, ingest_order, rolled_back }) => ({
    tenant,
    layer,
    id,
    version,
    ingest_order,
    rolled_back,
  }));
  await queries.insert(STANDINGS, rows, REPLACE);
}

/** Joins the standing `s` of a version `v`, which exists after a rollback. */
export const JOIN_STANDING = `LEFT JOIN version_standings s
  ON s.tenant = v.tenant AND s.layer = v.layer AND s.id = v.id AND s.version = v.version`;

const SUMMARIES: Table<VersionSummary> = {
  name: 'versions',
  columns: {
    version: 'text',
    content_hash: 'text',
    deprecated: 'flag',
    ingest_order: 'integer',
    stored_order: 'integer',
    ingested_at: 'time',
    rolled_back: 'flag',
  },
};
const LIST_VERSIONS = `SELECT v.version, v.content_hash, v.deprecated,
    coalesce(s.ingest_order, v.ingest_order) AS ingest_order, v.ingest_order AS stored_order,
    v.ingested_at, coalesce(s.rolled_back, false) AS rolled_back
  FROM versions v ${JOIN_STANDING}
  WHERE v.tenant = $1 AND v.layer = $2 AND v.id = $3 ORDER BY ingest_order`;

export async function listVersions(
  queries: Queries,
  tenant: Tenant,
  layer: LayerNumber,
  id: string,
): Promise<VersionSummary[]> {
  const rows = await queries.rows(LIST_VERSIONS, tenant, layer, id);
  return rows.map((row) => readRow(SUMMARIES, row));
}

const COUNT_VERSIONS: Sql<{ n: number }> =
  'SELECT count(*) AS n FROM versions WHERE tenant = $1 AND layer = $2';

export async function countVersions(
  queries: Queries,
  tenant: Tenant,
  layer: LayerNumber,
): Promise<number> {
  const row = await queries.row(COUNT_VERSIONS, tenant, layer);
  return row?.n ?? 0;
}
