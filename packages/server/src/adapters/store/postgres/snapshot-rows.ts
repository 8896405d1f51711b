import type { ArchivedHead, ArchiveRows, ArchiveTable } from '@catalog/core/ports/archive';
import { DIRECTORY_COLUMNS } from './directory.ts';
import { JOB_COLUMNS } from './jobs.ts';
import { LAYER_COLUMNS } from './layers.ts';
import { TENANT_COLUMNS, toRecord, type TenantRow } from './tenants.ts';
import { toVersion, VERSION_COLUMNS, type VersionRow } from './version-rows.ts';

/** The next rows of a cursor; what their columns hold is the word of whoever wrote its SQL. */
export type FetchPage = <Stored extends object>() => Promise<Stored[]>;

/** How the rows of a table are read. */
interface SnapshotTable<Row> {
  sql: string;
  read: (fetchPage: FetchPage) => Promise<Row[]>;
}

/** A version is the head where a row of `heads` names it, with the edges that row brought. */
const VERSIONS = `
  SELECT v.tenant, ${VERSION_COLUMNS.replaceAll(/\b[a-z_]+\b/g, 'v.$&')},
    CASE WHEN h.id IS NOT NULL THEN coalesce(e.edges, '[]'::json) END AS edges
  FROM versions v
  LEFT JOIN heads h
    ON h.tenant = v.tenant AND h.layer = v.layer AND h.id = v.id AND h.version = v.version
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('to', to_id, 'kind', kind, 'to_version', to_version)
      ORDER BY to_id, kind) AS edges
    FROM edges WHERE tenant = h.tenant AND layer = h.layer AND from_id = h.id) e ON true
  ORDER BY v.tenant, v.layer, v.id, v.version`;

interface StoredVersion extends VersionRow {
  tenant: number;
  /** Null where it is no head. */
  edges: ArchivedHead['edges'] | null;
}

/** The facts of a database by table, in the order of their keys. */
export const SNAPSHOT_TABLES: { [Table in ArchiveTable]: SnapshotTable<ArchiveRows[Table]> } = {
  tenants: asStored(
    'SELECT tenant, revision, ingest_order, event_sequence, audit_position FROM tenants ORDER BY tenant',
  ),
  tenant_records: {
    sql: `SELECT ${TENANT_COLUMNS} FROM tenant_records ORDER BY tenant`,
    read: async (fetchPage) => (await fetchPage<TenantRow>()).map(toRecord),
  },
  admin_grants: asStored(
    'SELECT tenant, user_id, granted_at, granted_by FROM admin_grants ORDER BY tenant, user_id',
  ),
  directory_resources: asStored(
    `SELECT tenant, ${DIRECTORY_COLUMNS} FROM directory_resources ORDER BY tenant, kind, id`,
  ),
  directory_members: asStored(
    `SELECT tenant, group_id, user_id FROM directory_members ORDER BY tenant, group_id, user_id`,
  ),
  directory_given_up: asStored(
    'SELECT tenant, kind, name FROM directory_given_up ORDER BY tenant, kind, name',
  ),
  layer_numbers: asStored(
    'SELECT tenant, id, number, revision, holder FROM layer_numbers ORDER BY tenant, number',
  ),
  layers: asStored(`SELECT tenant, ${LAYER_COLUMNS} FROM layers ORDER BY tenant, number`),
  blobs: asStored('SELECT tenant, content_hash, bytes FROM blobs ORDER BY tenant, content_hash'),
  ledger: asStored(
    `SELECT tenant, layer_id, id, version, authored_hash FROM version_ledger
     ORDER BY tenant, layer_id, id, version`,
  ),
  versions: {
    sql: VERSIONS,
    read: async (fetchPage) => (await fetchPage<StoredVersion>()).map(toArchived),
  },
  rejections: asStored(
    `SELECT tenant, layer, artifact_id, code, reason, awaits FROM rejections
     ORDER BY tenant, layer, artifact_id`,
  ),
  domains: asStored(
    'SELECT tenant, layer, path, text FROM domain_files ORDER BY tenant, layer, path',
  ),
  jobs: asStored(
    `SELECT tenant, ${JOB_COLUMNS} FROM jobs WHERE state IN ('done', 'failed')
     ORDER BY tenant, position`,
  ),
  outbox: asStored('SELECT tenant, sequence, body FROM outbox ORDER BY tenant, sequence'),
  audit: asStored('SELECT tenant, position, record FROM audit ORDER BY tenant, position'),
};

function asStored<Row extends object>(sql: string): SnapshotTable<Row> {
  return { sql, read: (fetchPage) => fetchPage<Row>() };
}

function toArchived({ edges, tenant, ...row }: StoredVersion): ArchiveRows['versions'] {
  return { tenant, ...toVersion(row), head: edges === null ? null : { edges } };
}
