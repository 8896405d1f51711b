import { fetchableHashes } from '@catalog/core/artifact/fetchable-hashes';
import { ledgerVersion } from '@catalog/core/ingest/ledger-key';
import { versionConflict } from '@catalog/core/ingest/version-conflict';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { VersionRecord, VersionWrites } from '@catalog/core/ports/versions';
import type { Connection } from '../connection/connection.ts';
import { purgeVersion } from './delete-content.ts';
import { headWrites } from './heads.ts';
import { rejectionWrites } from './rejections.ts';
import { inSteps } from '../connection/steps.ts';
import { putStandings } from '../../shared/standings.ts';
import { takeNumbers } from '../../shared/tenant-counters.ts';
import { queriesOver } from '../connection/queries.ts';
import type { Transaction } from '../transaction.ts';
import { versionReads } from './reads.ts';
import { writeList } from './rows.ts';

export function versionWrites(transaction: Transaction): VersionWrites {
  const { run } = transaction;
  return {
    ...versionReads(run),
    ...headWrites(transaction),
    ...rejectionWrites(transaction),
    takeIngestOrders: (tenant, count) =>
      takeNumbers(queriesOver(run), tenant, 'ingest_order', count),
    putBlobs: (tenant, blobs) =>
      inSteps(run, blobs, (connection, some) => {
        const insert = connection.statement(
          `INSERT INTO blobs (tenant, content_hash, bytes) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
        );
        for (const { content_hash, bytes } of some) insert.run(tenant, content_hash, bytes);
      }),
    async putVersions(tenant, layer_id, versions) {
      await inSteps(run, versions, (connection, some) => {
        for (const version of some) {
          putVersion(connection, tenant, version);
          putLedger(connection, tenant, layer_id, version);
        }
      });
      for (const layer of new Set(versions.map((version) => version.layer))) {
        await transaction.touchLayer(tenant, layer);
      }
    },
    async purgeVersions(tenant, layer, versions) {
      await inSteps(run, versions, (connection, some) => {
        for (const version of some) purgeVersion(connection, tenant, layer, version);
      });
      await transaction.touchLayer(tenant, layer);
    },
    async putStandings(tenant, layer, standings) {
      if (standings.length === 0) return;
      await putStandings(queriesOver(run), tenant, layer, standings);
      await transaction.touchLayer(tenant, layer);
    },
  };
}

function putVersion(connection: Connection, tenant: Tenant, record: VersionRecord): void {
  const { changes, lastInsertRowid } = connection
    .statement(PUT_VERSION)
    .run(
      tenant,
      record.layer,
      record.id,
      record.version,
      record.content_hash,
      Number(record.deprecated),
      record.ingest_order,
      record.ingested_at,
      record.type,
      record.name,
      record.description,
      writeList(record.when_to_use),
      writeList(record.tags),
      record.sensitivity,
      record.search_visibility,
      record.replaced_by,
      record.authored_hash,
      record.refusal,
      record.extends && JSON.stringify(record.extends),
      JSON.stringify(record.files),
      record.frontmatter,
      record.manifest,
      record.skill,
      record.source_commit,
    );
  if (Number(changes) === 0) return; // existing versions are never changed
  for (const hash of fetchableHashes(record)) {
    connection
      .statement('INSERT INTO version_files (tenant, content_hash, vid) VALUES (?, ?, ?)')
      .run(tenant, hash, lastInsertRowid);
  }
}

const PUT_VERSION = `
  INSERT INTO versions (tenant, layer, id, version, content_hash, deprecated, ingest_order, ingested_at,
    type, name, description, when_to_use, tags, sensitivity, search_visibility, replaced_by,
    authored_hash, refusal, extends, files, frontmatter, manifest, skill, source_commit)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING`;

function putLedger(
  connection: Connection,
  tenant: Tenant,
  layer_id: string,
  { id, version, authored_hash }: VersionRecord,
): void {
  const key = [tenant, layer_id, id, ledgerVersion(version)] as const;
  const { changes } = connection
    .statement(
      `INSERT INTO version_ledger (tenant, layer_id, id, version, authored_hash)
       VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    )
    .run(...key, authored_hash);
  if (Number(changes) === 1) return;
  const known = connection
    .statement<{ authored_hash: string }>(
      `SELECT authored_hash FROM version_ledger
       WHERE tenant = ? AND layer_id = ? AND id = ? AND version = ?`,
    )
    .get(...key);
  if (known?.authored_hash !== authored_hash) throw versionConflict(id, version);
}
