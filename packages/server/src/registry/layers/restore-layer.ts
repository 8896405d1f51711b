import type { RestoredLayer } from '@catalog/contract/records/layer';
import { requireLayerConfigUnfrozen } from '../freeze/require-unfrozen.ts';
import { requireAuditVolume } from '../access/require-audit-volume.ts';
import { requestIngest } from '../ingest/request-ingest.ts';
import { callAuditContext } from '../audit-context.ts';
import type { CallContext, Registry } from '../registry.ts';
import { hostPathAuthority } from './declared-sources.ts';
import { findLayer, requireLayer } from './load-layer.ts';
import { recordLayerChange } from './record-change.ts';
import { requireLayerQuota } from './require-layer-quota.ts';
import { toWireLayer } from './to-wire-layer.ts';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { TenantReads } from '@catalog/core/ports/tenants';

export async function restoreLayer(
  registry: Registry,
  context: CallContext,
  { id }: { id: string },
): Promise<RestoredLayer> {
  const { tenant, caller } = context;
  return registry.store.transaction(async (writes) => {
    const auditContext = callAuditContext(registry, context);
    const found = await findLayer(registry, writes.layers, tenant, id);
    const host_paths = hostPathAuthority(registry, tenant, found);
    const stored = requireLayer(caller, 'restore', { id, stored: found, host_paths });
    await requireLayerConfigUnfrozen(registry, writes.freezes, tenant);
    await requireAuditVolume(registry, writes.tenants, tenant);
    const layer = { ...stored, deleted_at: null };
    await withinArtifactCount(registry, writes.tenants, tenant, () =>
      writes.layers.replace(tenant, layer),
    );
    await requireLayerQuota(registry, writes, tenant, layer, stored);
    await recordLayerChange(writes, tenant, auditContext, {
      action: 'restore',
      layers: [layer],
      publishes: true,
    });
    await requestIngest(registry, writes, tenant, {
      layer_id: id,
      full: false,
      trigger: 'restore',
    });
    return { restored: id, layer: toWireLayer(registry, caller, layer) };
  });
}

/** Checks the artifact quota of a restore, which fails as a whole. An ingest instead rejects single artifacts. */
async function withinArtifactCount(
  registry: Registry,
  tenants: TenantReads,
  tenant: Tenant,
  change: () => Promise<void>,
): Promise<void> {
  const limit = registry.settings.artifact_count_quota;
  if (limit === 0) return change();
  const count = async (): Promise<number> =>
    (await tenants.usage(tenant, registry.now().toISOString())).artifact_count;
  const current = await count();
  await change();
  const after = await count();
  if (after <= limit || after === current) return;
  throw new CatalogError(
    'quota.artifact_count_exceeded',
    `The tenant's limit is ${limit} artifacts; its layers have ${current}, and this one has ${after - current}.`,
    { details: { limit, current } },
  );
}
