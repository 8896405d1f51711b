import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { userLayerCap } from '@catalog/core/layer/user-layer-cap';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import { quotaOf } from '../access/quota-of.ts';
import type { Registry } from '../registry.ts';

/**
 * Refuses a personal layer that comes to live and is one too many for its owner: one that is registered
 * or restored. Asked in the transaction that stored it, so that two at once are counted after each
 * other. One that lived before, as the same identity's, takes no place of its own.
 */
export async function requireLayerPlace(
  registry: Registry,
  writes: StoreWrites,
  tenant: Tenant,
  layer: LayerRecord,
  before: LayerRecord | undefined,
): Promise<void> {
  if (!layer.user_defined) return;
  const isTheirs = (one: LayerRecord): boolean => one.user_defined && one.owner === layer.owner;
  if (before !== undefined && before.deleted_at === null && isTheirs(before)) return;
  const { max_user_layers } = await quotaOf(registry, writes.tenants, tenant);
  const limit = userLayerCap(registry.settings.max_user_layers, max_user_layers);
  const live = (await writes.layers.list(tenant)).filter(isTheirs);
  if (live.length <= limit) return;
  throw new CatalogError(
    'quota.layer_count_exceeded',
    `${layer.owner} may have ${limit} personal layers and has them.`,
    { details: { limit, current: live.length - 1 } },
  );
}
