import type { LayerDecision } from '@catalog/core/ingest/decide-layer';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { RejectionRecord } from '@catalog/core/ports/versions';

/**
 * Remembers what was not taken, to be tried again (decision 56), and forgets what was taken now or
 * has left the source.
 */
export async function rememberRejections(
  writes: StoreWrites,
  tenant: Tenant,
  layer: number,
  decision: LayerDecision,
  isDecided: (artifact_id: string) => boolean,
): Promise<{ news: string[]; changed: boolean }> {
  const records = decision.rejected.map(({ artifact_id, code, reason, awaits }) => ({
    artifact_id,
    code,
    reason,
    awaits,
  }));
  const now = new Set(records.map(({ artifact_id }) => artifact_id));
  const before = await writes.versions.listRejections(tenant, [layer]);
  const settled = before.filter(
    ({ artifact_id }) => isDecided(artifact_id) && !now.has(artifact_id),
  );
  await writes.versions.removeRejections(
    tenant,
    layer,
    settled.map(({ artifact_id }) => artifact_id),
  );
  await writes.versions.putRejections(tenant, layer, records);
  const known = new Map(before.map((record) => [record.artifact_id, record]));
  const isNews = ({ artifact_id, code, reason }: RejectionRecord): boolean => {
    const old = known.get(artifact_id);
    return old?.code !== code || old.reason !== reason;
  };
  return {
    news: [...now].filter((id) => !known.has(id)),
    changed: settled.length > 0 || records.some(isNews),
  };
}
