import { bytesHash } from '@catalog/core/artifact/content-hash';
import { isArtifactId } from '@catalog/core/artifact/reference';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { RejectionRecord, VersionReads, VersionWrites } from '@catalog/core/ports/versions';
import type { Sql } from '../../shared/sql.ts';
import { batches } from '../pool/batches.ts';
import { jsonText } from '../pool/json-text.ts';
import { toRejection, type RejectionRow } from '../../shared/rejection-row.ts';
import type { Queries, Run } from '../../shared/queries.ts';
import type { Transaction } from '../../shared/queries.ts';

type RejectionReads = Pick<VersionReads, 'listRejections' | 'listWaiting'>;
type RejectionWrites = Pick<VersionWrites, 'putRejections' | 'removeRejections'>;

const LIST: Sql<RejectionRow<{ layer: LayerNumber }>> =
  `SELECT layer, artifact_id, type, code, reason, awaits FROM rejections
  WHERE tenant = $1 AND layer = ANY($2::int[])
  ORDER BY array_position($2::int[], layer), artifact_id`;
const LIST_WAITING: Sql<{ layer: LayerNumber; artifact_id: string }> =
  `SELECT DISTINCT w.layer, w.artifact_id
  FROM unnest($2::text[]) AS named (id)
  JOIN rejection_awaits w ON w.tenant = $1 AND w.awaited = named.id`;

export function rejectionReads(run: Run): RejectionReads {
  return {
    listRejections: (tenant, layers) =>
      run(tenant, async (queries) => {
        const rows = await queries.rows(LIST, tenant, layers);
        return rows.map(toRejection);
      }),
    listWaiting: (tenant, ids) => run(tenant, (queries) => queries.rows(LIST_WAITING, tenant, ids)),
  };
}

export function rejectionWrites(transaction: Transaction): RejectionWrites {
  const { run } = transaction;
  return {
    async putRejections(tenant, layer, rejections) {
      if (rejections.length === 0) return;
      const latest = new Map(rejections.map((rejection) => [rejection.artifact_id, rejection]));
      for (const some of batches([...latest.values()])) {
        await run(tenant, async (queries) => {
          const ids = some.map(({ artifact_id }) => artifact_id);
          await removeSome(queries, tenant, layer, ids);
          await putSome(queries, tenant, layer, some);
        });
      }
      transaction.touchTenant(tenant);
    },
    async removeRejections(tenant, layer, artifact_ids) {
      if (artifact_ids.length === 0) return;
      for (const some of batches(artifact_ids)) {
        await run(tenant, (queries) => removeSome(queries, tenant, layer, some));
      }
      transaction.touchTenant(tenant);
    },
  };
}

const PUT = `INSERT INTO rejections (tenant, layer, artifact_hash, artifact_id, type, code, reason, awaits)
  SELECT $1, $2, r.* FROM json_to_recordset($3::json)
    AS r (artifact_hash text, artifact_id text, type text, code text, reason text, awaits text[])`;
const PUT_AWAITS = `INSERT INTO rejection_awaits (tenant, layer, artifact_id, awaited)
  SELECT $1, $2, * FROM unnest($3::text[], $4::text[])`;

async function putSome(
  queries: Queries,
  tenant: Tenant,
  layer: LayerNumber,
  rejections: readonly RejectionRecord[],
): Promise<void> {
  const rows = rejections.map((rejection) => ({
    ...rejection,
    artifact_hash: bytesHash(rejection.artifact_id),
  }));
  await queries.run(PUT, tenant, layer, jsonText(rows));
  // Strings that cannot be ids are skipped, such as long links: no artifact with such an id can appear.
  const awaits = rejections.flatMap(({ artifact_id, awaits: ids }) =>
    [...new Set(ids)].filter(isArtifactId).map((awaited) => ({ artifact_id, awaited })),
  );
  for (const some of batches(awaits)) {
    await queries.run(
      PUT_AWAITS,
      tenant,
      layer,
      some.map(({ artifact_id }) => artifact_id),
      some.map(({ awaited }) => awaited),
    );
  }
}

const REMOVE = `
  WITH gone AS (
    DELETE FROM rejections r USING unnest($3::text[]) AS named (artifact_hash)
    WHERE r.tenant = $1 AND r.layer = $2 AND r.artifact_hash = named.artifact_hash
    RETURNING r.artifact_id)
  DELETE FROM rejection_awaits w USING gone
  WHERE w.tenant = $1 AND w.layer = $2 AND w.artifact_id = gone.artifact_id`;

async function removeSome(
  queries: Queries,
  tenant: Tenant,
  layer: LayerNumber,
  artifact_ids: readonly string[],
): Promise<void> {
  const hashes = artifact_ids.map((id) => bytesHash(id));
  await queries.run(REMOVE, tenant, layer, hashes);
}
