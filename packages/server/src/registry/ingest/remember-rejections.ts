import type { LayerDecision } from '@catalog/core/ingest/decide-layer';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { RejectionRecord } from '@catalog/core/ports/versions';

/** Stores rejections for a retry (SPEC-56), and deletes those of artifacts that were accepted or removed. */
export async function rememberRejections(
  writes: StoreWrites,
  tenant: Tenant,
  layer: LayerNumber,
  decision: LayerDecision,
  isDecided: (artifact_id: string) => boolean,
): Promise<{ news: string[]; changed: boolean }> {
  const now = new Map(
    decision.rejected.map(({ diagnostics: _diagnostics, layer: _layer, ...record }) => [
      record.artifact_id,
      record satisfies RejectionRecord,
    ]),
  );
  const before = await writes.versions.listRejections(tenant, [layer]);
  const settled = before.filter(
    ({ artifact_id }) => isDecided(artifact_id) && !now.has(artifact_id),
  );
  await writes.versions.removeRejections(
    tenant,
    layer,
    settled.map(({ artifact_id }) => artifact_id),
  );
  const known = new Map(before.map((record) => [record.artifact_id, record]));
  const differing = [...now.values()].filter((record) => {
    const old = known.get(record.artifact_id);
    return old === undefined || hasChanged(old, record) || !isSameList(old.awaits, record.awaits);
  });
  // Equal rejections are not written, because a write invalidates the view.
  await writes.versions.putRejections(tenant, layer, differing);
  return {
    news: [...now.keys()].filter((id) => !known.has(id)),
    changed:
      settled.length > 0 ||
      differing.some((record) => hasChanged(known.get(record.artifact_id), record)),
  };
}

function hasChanged(old: RejectionRecord | undefined, record: RejectionRecord): boolean {
  return old?.code !== record.code || old.reason !== record.reason || old.type !== record.type;
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, at) => item === other[at]);
}
