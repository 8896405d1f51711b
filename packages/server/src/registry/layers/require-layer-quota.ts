import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { hasSameHolder } from '@catalog/core/layer/layer-holder';
import { userLayerCap } from '@catalog/core/layer/user-layer-cap';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import { quotaOf } from '../access/quota-of.ts';
import type { Registry } from '../registry.ts';
import { isInWindow } from './load-layer.ts';

/**
 * Checks the layer quota in the transaction of the change, so that concurrent changes count one after the other.
 * Deleted layers that can be restored count, because their content is stored. A live layer of the same owner does not
 * count again.
 */
export async function requireLayerQuota(
  registry: Registry,
  writes: StoreWrites,
  tenant: Tenant,
  layer: LayerRecord,
  before: LayerRecord | undefined,
): Promise<void> {
  if (!layer.user_defined) return;
  const isSameOwner = (one: LayerRecord): boolean => hasSameHolder(one, layer);
  if (before !== undefined && before.deleted_at === null && isSameOwner(before)) return;
  const { max_user_layers } = await quotaOf(registry, writes.tenants, tenant);
  const limit = userLayerCap(registry.settings.max_user_layers, max_user_layers);
  const live = (await writes.layers.list(tenant)).filter(isSameOwner);
  const deleted = (await writes.layers.listDeleted(tenant)).filter(
    (one) => isSameOwner(one) && isInWindow(registry, one),
  );
  const count = live.length + deleted.length;
  if (count <= limit) return;
  const unregistered =
    deleted.length === 0 ? '' : `, ${deleted.length} of them unregistered and still restorable`;
  throw new CatalogError(
    'quota.layer_count_exceeded',
    `${layer.owner} has reached the limit of ${limit} personal layers${unregistered}.`,
    { details: { limit, current: count - 1 } },
  );
}
