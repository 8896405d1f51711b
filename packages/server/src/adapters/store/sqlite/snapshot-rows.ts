import type { ArchivedHead, ArchiveRows, ArchiveTable } from '@catalog/core/ports/archive';
import type { AuditRecord } from '@catalog/core/ports/audit';
import type { EventBody } from '@catalog/contract/events';
import type { Connection } from './connection.ts';
import { toResource, type DirectoryRow } from './directory.ts';
import { JOB_COLUMNS, toJob, type JobRow } from './jobs.ts';
import { readJson, type JsonText } from './json-column.ts';
import { toLayer, type LayerRow } from './layers.ts';
import { toRecord, type TenantRow } from './tenants.ts';
import {
  readList,
  toVersion,
  VERSION_COLUMNS,
  type ListText,
  type VersionRow,
} from './version-rows.ts';

type Readers = {
  [Table in ArchiveTable]: (connection: Connection) => Iterable<ArchiveRows[Table]>;
};

interface StoredVersion extends VersionRow {
  tenant: number;
  /** Null where it is no head. */
  edges: JsonText<ArchivedHead['edges']> | null;
}

/** A version is the head where a row of `heads` names it, with the edges that row brought. */
const VERSIONS = `
  SELECT v.tenant, ${VERSION_COLUMNS.replaceAll(/\b[a-z_]+\b/g, 'v.$&')},
    CASE WHEN h.id IS NOT NULL THEN (
      SELECT json_group_array(
        json_object('to', e.to_id, 'kind', e.kind, 'to_version', e.to_version)
        ORDER BY e.to_id, e.kind)
      FROM edges e WHERE e.tenant = v.tenant AND e.layer = v.layer AND e.from_id = v.id) END AS edges
  FROM versions v LEFT JOIN heads h
    ON h.tenant = v.tenant AND h.layer = v.layer AND h.id = v.id AND h.version = v.version
  ORDER BY v.tenant, v.layer, v.id, v.version`;

/** The facts of a file by table, in the order of their keys. */
export const READERS: Readers = {
  tenants: (connection) =>
    connection
      .statement<ArchiveRows['tenants']>(
        `SELECT tenant, revision, ingest_order, event_sequence, audit_position FROM tenants
         ORDER BY tenant`,
      )
      .iterate(),
  *tenant_records(connection) {
    const rows = connection
      .statement<TenantRow>('SELECT * FROM tenant_records ORDER BY tenant')
      .iterate();
    for (const row of rows) yield toRecord(row);
  },
  admin_grants: (connection) =>
    connection
      .statement<ArchiveRows['admin_grants']>(
        `SELECT tenant, user_id, granted_at, granted_by FROM admin_grants
         ORDER BY tenant, user_id`,
      )
      .iterate(),
  *directory_resources(connection) {
    const rows = connection
      .statement<DirectoryRow>('SELECT * FROM directory_resources ORDER BY tenant, kind, id')
      .iterate();
    for (const row of rows) yield { tenant: row.tenant, ...toResource(row) };
  },
  directory_members: (connection) =>
    connection
      .statement<ArchiveRows['directory_members']>(
        `SELECT tenant, group_id, user_id FROM directory_members
         ORDER BY tenant, group_id, user_id`,
      )
      .iterate(),
  directory_given_up: (connection) =>
    connection
      .statement<ArchiveRows['directory_given_up']>(
        'SELECT tenant, kind, name FROM directory_given_up ORDER BY tenant, kind, name',
      )
      .iterate(),
  layer_numbers: (connection) =>
    connection
      .statement<ArchiveRows['layer_numbers']>(
        'SELECT tenant, id, number, revision, holder FROM layer_numbers ORDER BY tenant, number',
      )
      .iterate(),
  *layers(connection) {
    const rows = connection
      .statement<LayerRow>('SELECT *, 0 AS revision FROM layers ORDER BY tenant, number')
      .iterate();
    for (const row of rows) {
      const { revision: _, ...layer } = toLayer(row);
      yield { tenant: row.tenant, ...layer };
    }
  },
  blobs: (connection) =>
    connection
      .statement<ArchiveRows['blobs']>(
        'SELECT tenant, content_hash, bytes FROM blobs ORDER BY tenant, content_hash',
      )
      .iterate(),
  ledger: (connection) =>
    connection
      .statement<ArchiveRows['ledger']>(
        `SELECT tenant, layer_id, id, version, authored_hash FROM version_ledger
         ORDER BY tenant, layer_id, id, version`,
      )
      .iterate(),
  *versions(connection) {
    for (const row of connection.statement<StoredVersion>(VERSIONS).iterate()) {
      const { tenant, edges } = row;
      yield { tenant, ...toVersion(row), head: edges === null ? null : { edges: readJson(edges) } };
    }
  },
  *rejections(connection) {
    const rows = connection
      .statement<Omit<ArchiveRows['rejections'], 'awaits'> & { awaits: ListText }>(
        `SELECT tenant, layer, artifact_id, code, reason, awaits FROM rejections
         ORDER BY tenant, layer, artifact_id`,
      )
      .iterate();
    for (const row of rows) yield { ...row, awaits: readList(row.awaits) };
  },
  domains: (connection) =>
    connection
      .statement<ArchiveRows['domains']>(
        'SELECT tenant, layer, path, text FROM domain_files ORDER BY tenant, layer, path',
      )
      .iterate(),
  *jobs(connection) {
    const rows = connection
      .statement<JobRow>(
        `SELECT ${JOB_COLUMNS} FROM jobs WHERE state IN ('done', 'failed') ORDER BY tenant, position`,
      )
      .iterate();
    for (const row of rows) yield { tenant: row.tenant, ...toJob(row) };
  },
  *outbox(connection) {
    const rows = connection
      .statement<{ tenant: number; sequence: number; body: JsonText<EventBody> }>(
        'SELECT tenant, sequence, body FROM outbox ORDER BY tenant, sequence',
      )
      .iterate();
    for (const { tenant, sequence, body } of rows) yield { tenant, sequence, body: readJson(body) };
  },
  *audit(connection) {
    const rows = connection
      .statement<{ tenant: number; position: number; record: JsonText<AuditRecord> }>(
        'SELECT tenant, position, record FROM audit ORDER BY tenant, position',
      )
      .iterate();
    for (const { tenant, position, record } of rows) {
      yield { tenant, position, record: readJson(record) };
    }
  },
};
