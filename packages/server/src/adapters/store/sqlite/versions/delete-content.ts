import { fetchableHashes } from '@catalog/core/artifact/fetchable-hashes';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Connection } from '../connection/connection.ts';
import { readJson } from '../connection/json-column.ts';
import type { VersionRow } from './rows.ts';

export type StoredContent = Pick<VersionRow, 'files' | 'manifest' | 'skill'> & { vid: number };

/** Deletes versions, and the blobs that no other version uses. */
export function deleteContent(
  connection: Connection,
  tenant: Tenant,
  rows: readonly StoredContent[],
): void {
  for (const { vid, files, manifest, skill } of rows) {
    connection.statement('DELETE FROM versions WHERE vid = ?').run(vid);
    const hashes = fetchableHashes({ files: readJson(files), manifest, skill });
    for (const hash of hashes) {
      connection
        .statement('DELETE FROM version_files WHERE tenant = ? AND content_hash = ? AND vid = ?')
        .run(tenant, hash, vid);
      connection
        .statement(
          `DELETE FROM blobs WHERE tenant = ?1 AND content_hash = ?2 AND NOT EXISTS (
             SELECT 1 FROM version_files WHERE tenant = ?1 AND content_hash = ?2)`,
        )
        .run(tenant, hash);
    }
  }
}

export function purgeVersion(
  connection: Connection,
  tenant: Tenant,
  layer: LayerNumber,
  { id, version }: { id: string; version: string },
): void {
  const rows = connection
    .statement<StoredContent>(
      `SELECT vid, files, manifest, skill FROM versions
       WHERE tenant = ? AND layer = ? AND id = ? AND version = ?`,
    )
    .all(tenant, layer, id, version);
  deleteContent(connection, tenant, rows);
}
