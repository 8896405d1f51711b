import { fetchableHashes } from '@catalog/core/artifact/fetchable-hashes';
import { ledgerVersion } from '@catalog/core/ingest/ledger-key';
import { versionConflict } from '@catalog/core/ingest/version-conflict';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Blob, VersionRecord, VersionWrites } from '@catalog/core/ports/versions';
import type { Sql } from '../../shared/sql.ts';
import { batches } from '../pool/batches.ts';
import { purgeVersions } from './delete-content.ts';
import { headWrites } from './heads.ts';
import { jsonText } from '../pool/json-text.ts';
import type { Queries } from '../../shared/queries.ts';
import { rejectionWrites } from './rejections.ts';
import { putStandings } from '../../shared/standings.ts';
import { takeNumbers } from '../../shared/tenant-counters.ts';
import type { Transaction } from '../../shared/queries.ts';
import { versionReads } from './reads.ts';
import { writeBody } from './rows.ts';

const PUT_BLOBS = `INSERT INTO blobs (tenant, content_hash, bytes)
  SELECT $1, * FROM unnest($2::text[], $3::bytea[]) ON CONFLICT DO NOTHING`;

export function versionWrites(transaction: Transaction): VersionWrites {
  const { run } = transaction;
  return {
    ...versionReads({ run }),
    ...headWrites(transaction),
    ...rejectionWrites(transaction),
    takeIngestOrders: (tenant, count) =>
      run(tenant, (queries) => takeNumbers(queries, tenant, 'ingest_order', count)),
    async putBlobs(tenant, blobs) {
      for (const some of batches(blobs, ({ bytes }: Blob) => bytes.length)) {
        const hashes = some.map(({ content_hash }) => content_hash);
        const bodies = some.map(({ bytes }) => bytes);
        await run(tenant, (queries) => queries.run(PUT_BLOBS, tenant, hashes, bodies));
      }
    },
    async putVersions(tenant, layer_id, versions) {
      for (const some of batches(versions, bytesOf)) {
        await run(tenant, async (queries) => {
          await putSome(queries, tenant, some);
          await putLedger(queries, tenant, layer_id, some);
        });
      }
      for (const layer of new Set(versions.map((version) => version.layer))) {
        await transaction.touchLayer(tenant, layer);
      }
    },
    async purgeVersions(tenant, layer, versions) {
      await run(tenant, (queries) => purgeVersions(queries, tenant, layer, versions));
      await transaction.touchLayer(tenant, layer);
    },
    async putStandings(tenant, layer, standings) {
      if (standings.length === 0) return;
      await run(tenant, (queries) => putStandings(queries, tenant, layer, standings));
      await transaction.touchLayer(tenant, layer);
    },
  };
}

function bytesOf({ manifest, skill, frontmatter }: VersionRecord): number {
  return (manifest?.length ?? 0) + (skill?.length ?? 0) + (frontmatter?.length ?? 0);
}

const RECORDED = `layer, id, version, ingest_order, ingested_at, deprecated, content_hash,
  authored_hash, type, sensitivity, search_visibility, name, description, when_to_use, tags,
  replaced_by, refusal, extends, files, frontmatter, source_commit`;

// Existing versions are never changed.
const PUT_VERSIONS = `
  WITH stored AS (
    INSERT INTO versions (tenant, ${RECORDED}, manifest, skill)
    SELECT $1, ${RECORDED}, manifest, skill
    FROM ROWS FROM (
      json_to_recordset($2::json) AS (layer int, id text, version text, ingest_order bigint,
        ingested_at timestamptz, deprecated boolean, content_hash text, authored_hash text, type text,
        sensitivity text, search_visibility text, name text, description text, when_to_use text[],
        tags text[], replaced_by text, refusal text, extends json, files json, frontmatter text,
        source_commit text),
      unnest($3::bytea[]), unnest($4::bytea[])) AS given (${RECORDED}, manifest, skill)
    ON CONFLICT DO NOTHING RETURNING layer, id, version)
  INSERT INTO version_files (tenant, content_hash, layer, id, version)
  SELECT $1, carried.content_hash, stored.layer, stored.id, stored.version
  FROM unnest($5::text[], $6::int[], $7::text[], $8::text[])
    AS carried (content_hash, layer, id, version)
  JOIN stored USING (layer, id, version)
  ON CONFLICT DO NOTHING`;

async function putSome(
  queries: Queries,
  tenant: Tenant,
  versions: readonly VersionRecord[],
): Promise<void> {
  const carried = versions.flatMap((version) =>
    Array.from(fetchableHashes(version), (hash) => ({ ...version, hash })),
  );
  await queries.run(
    PUT_VERSIONS,
    tenant,
    jsonText(versions.map(withoutBodies)),
    versions.map(({ manifest }) => writeBody(manifest)),
    versions.map(({ skill }) => writeBody(skill)),
    carried.map(({ hash }) => hash),
    carried.map(({ layer }) => layer),
    carried.map(({ id }) => id),
    carried.map(({ version }) => version),
  );
}

function withoutBodies(version: VersionRecord): object {
  return { ...version, manifest: undefined, skill: undefined };
}

const PUT_LEDGER = `INSERT INTO version_ledger (tenant, layer_id, id, version, authored_hash)
  SELECT $1, $2, * FROM unnest($3::text[], $4::text[], $5::text[]) ON CONFLICT DO NOTHING`;

const FIND_OTHER: Sql<{ id: string; version: string }> = `SELECT l.id, l.version
  FROM unnest($3::text[], $4::text[], $5::text[]) AS given (id, version, authored_hash)
  JOIN version_ledger l ON l.tenant = $1 AND l.layer_id = $2 AND l.id = given.id
    AND l.version = given.version AND l.authored_hash <> given.authored_hash
  LIMIT 1`;

/**
 * Records versions in the ledger. The ingest may have read the ledger from a lagging standby: if it already has a
 * different entry, nothing is written and the ingest runs again.
 */
async function putLedger(
  queries: Queries,
  tenant: Tenant,
  layer_id: string,
  versions: readonly VersionRecord[],
): Promise<void> {
  const columns = [
    versions.map(({ id }) => id),
    versions.map(({ version }) => ledgerVersion(version)),
    versions.map(({ authored_hash }) => authored_hash),
  ];
  await queries.run(PUT_LEDGER, tenant, layer_id, ...columns);
  const other = await queries.row(FIND_OTHER, tenant, layer_id, ...columns);
  if (other !== undefined) throw versionConflict(other.id, other.version);
}
