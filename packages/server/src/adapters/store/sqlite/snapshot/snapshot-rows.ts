import type { ArchivedHead, ArchiveRows, ArchiveTable } from '@catalog/core/ports/archive';
import type { Tenant } from '@catalog/core/ports/tenant';
import { toRejection } from '../../shared/rejection-row.ts';
import { JOIN_STANDING } from '../../shared/standings.ts';
import { plainSnapshots, type SnapshotTable } from '../../shared/snapshot-tables.ts';
import { readJson, type JsonText } from '../connection/json-column.ts';
import {
  readList,
  toVersion,
  VERSION_COLUMNS,
  type ListText,
  type VersionRow,
} from '../versions/rows.ts';

interface StoredVersion extends VersionRow {
  tenant: Tenant;
  edges: JsonText<ArchivedHead['edges']> | null;
  standing_order: number | null;
  rolled_back: number | null;
}

/** Selects versions that are heads, and their edges. */
const VERSIONS = `
  SELECT v.tenant, ${VERSION_COLUMNS.replaceAll(/\b[a-z_]+\b/g, 'v.$&')},
    CASE WHEN h.id IS NOT NULL THEN (
      SELECT json_group_array(
        json_object('to', e.to_id, 'kind', e.kind, 'to_version', e.to_version)
        ORDER BY e.to_id, e.kind)
      FROM edges e WHERE e.tenant = v.tenant AND e.layer = v.layer AND e.from_id = v.id) END AS edges,
    s.ingest_order AS standing_order, s.rolled_back
  FROM versions v ${JOIN_STANDING} LEFT JOIN heads h
    ON h.tenant = v.tenant AND h.layer = v.layer AND h.id = v.id AND h.version = v.version
  ORDER BY v.tenant, v.layer, v.id, v.version`;

export const SNAPSHOT_TABLES: { [Table in ArchiveTable]: SnapshotTable<ArchiveRows[Table]> } = {
  ...plainSnapshots(),
  blobs: asStored('SELECT tenant, content_hash, bytes FROM blobs ORDER BY tenant, content_hash'),
  versions: {
    sql: VERSIONS,
    read(row: StoredVersion) {
      const { tenant, edges, standing_order: ingest_order, rolled_back } = row;
      return {
        tenant,
        ...toVersion(row),
        head: edges === null ? null : { edges: readJson(edges) },
        standing: ingest_order === null ? null : { ingest_order, rolled_back: rolled_back === 1 },
      };
    },
  },
  rejections: {
    sql: `SELECT tenant, layer, artifact_id, type, code, reason, awaits FROM rejections
      ORDER BY tenant, layer, artifact_id`,
    read: (row: StoredRejection) => toRejection({ ...row, awaits: readList(row.awaits) }),
  },
  domains: asStored(
    'SELECT tenant, layer, path, text FROM domain_files ORDER BY tenant, layer, path',
  ),
};

type StoredRejection = Omit<ArchiveRows['rejections'], 'awaits' | 'type'> & {
  awaits: ListText;
  type: string | null;
};

function asStored<Row extends object>(sql: string): SnapshotTable<Row> {
  return { sql, read: (stored: Row) => stored };
}
