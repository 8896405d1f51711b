import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { QuotaAnswer } from '@catalog/contract/records/access';
import { isLayerAdmin } from '@catalog/core/authorize';
import { userLayerCap } from '@catalog/core/layer/user-layer-cap';
import type { CallContext, Registry } from '../registry.ts';
import { resolveView } from '../view/resolve-view.ts';

/**
 * Returns limits and usage of a tenant. The number of all artifacts is only for administrators, because it includes
 * hidden ones.
 */
export async function getQuota(registry: Registry, context: CallContext): Promise<QuotaAnswer> {
  const { tenant, record, caller } = context;
  if (record === undefined) {
    throw new CatalogError('registry.not_found', 'The quota record of this tenant is missing.', {
      suggested_action: 'Ask the operator to restart the registry, which creates the record.',
    });
  }
  const usage = await registry.store.tenants.usage(tenant, registry.now().toISOString());
  const artifact_count = isLayerAdmin(caller)
    ? usage.artifact_count
    : await countVisible(registry, context);
  const cap = userLayerCap(registry.settings.max_user_layers, record.quota.max_user_layers);
  return {
    tenant_id: record.id,
    limits: { ...record.quota, max_user_layers: Number.isFinite(cap) ? cap : UNLIMITED_LAYERS },
    usage: { ...usage, artifact_count },
  };
}

const UNLIMITED_LAYERS = -1;

async function countVisible(registry: Registry, context: CallContext): Promise<number> {
  const { stack, reads } = await resolveView(registry, context);
  const { artifact_count } = await reads.versions.countView(context.tenant, stack);
  return artifact_count;
}
