import type {
  ArchivedHead,
  ArchivedStanding,
  ArchiveRows,
  ArchiveTable,
} from '@catalog/core/ports/archive';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import { toRejection, type RejectionRow } from '../../shared/rejection-row.ts';
import { plainSnapshots, type SnapshotTable } from '../../shared/snapshot-tables.ts';
import { JOIN_STANDING } from '../../shared/standings.ts';
import { toVersion, VERSION_COLUMNS, type VersionRow } from '../versions/rows.ts';

/** Selects versions that are heads, and their edges. */
const VERSIONS = `
  SELECT v.tenant, ${VERSION_COLUMNS.replaceAll(/\b[a-z_]+\b/g, 'v.$&')},
    CASE WHEN h.id IS NOT NULL THEN coalesce(e.edges, '[]'::json) END AS edges,
    CASE WHEN s.id IS NOT NULL THEN json_build_object(
      'ingest_order', s.ingest_order, 'rolled_back', s.rolled_back) END AS standing
  FROM versions v ${JOIN_STANDING}
  LEFT JOIN heads h
    ON h.tenant = v.tenant AND h.layer = v.layer AND h.id = v.id AND h.version = v.version
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('to', to_id, 'kind', kind, 'to_version', to_version)
      ORDER BY to_id, kind) AS edges
    FROM edges WHERE tenant = h.tenant AND layer = h.layer AND from_id = h.id) e ON true
  ORDER BY v.tenant, v.layer, v.id, v.version`;

interface StoredVersion extends VersionRow {
  tenant: Tenant;
  edges: ArchivedHead['edges'] | null;
  standing: ArchivedStanding | null;
}

export const SNAPSHOT_TABLES: { [Table in ArchiveTable]: SnapshotTable<ArchiveRows[Table]> } = {
  ...plainSnapshots(),
  blobs: asStored('SELECT tenant, content_hash, bytes FROM blobs ORDER BY tenant, content_hash'),
  versions: { sql: VERSIONS, read: toArchived },
  rejections: {
    sql: `SELECT tenant, layer, artifact_id, type, code, reason, awaits FROM rejections
      ORDER BY tenant, layer, artifact_id`,
    read: toRejection<RejectionRow<{ tenant: Tenant; layer: LayerNumber }>>,
  },
  domains: asStored(
    'SELECT tenant, layer, path, text FROM domain_files ORDER BY tenant, layer, path',
  ),
};

function asStored<Row extends object>(sql: string): SnapshotTable<Row> {
  return { sql, read: (stored: Row) => stored };
}

function toArchived({ edges, tenant, standing, ...row }: StoredVersion): ArchiveRows['versions'] {
  return { tenant, ...toVersion(row), head: edges === null ? null : { edges }, standing };
}
