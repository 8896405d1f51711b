import type { Caller } from '@catalog/core/identity/caller';
import { isLayerVisible } from '@catalog/core/layer/visibility';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { StoreReads } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';

/**
 * Returns the owner of a layer as a caller. For a personal layer, this is the user with the groups of the directory.
 * For other layers, it is a caller who sees all layers of administrators.
 */
export async function ownerOf(
  { settings }: Pick<Registry, 'settings'>,
  { directory }: Pick<StoreReads, 'directory'>,
  tenant: Tenant,
  { owner, user_defined }: LayerRecord,
): Promise<Caller> {
  if (settings.open || !user_defined) return { kind: 'open' };
  const { state, groups } = await directory.standing(tenant, owner, '');
  if (state === 'inactive') return { kind: 'anonymous' };
  return { kind: 'subject', subject: owner, groups };
}

/**
 * Returns true if the content of one layer may affect another: an administrator manages the other one, or its owner
 * sees the first.
 */
export async function mayAffect(
  registry: Pick<Registry, 'settings'>,
  reads: Pick<StoreReads, 'directory'>,
  tenant: Tenant,
  affectedLayer: LayerRecord,
  sourceLayer: LayerRecord,
): Promise<boolean> {
  if (!affectedLayer.user_defined) return true;
  if (sourceLayer.user_defined) return affectedLayer.owner === sourceLayer.owner;
  return isLayerVisible(sourceLayer, await ownerOf(registry, reads, tenant, affectedLayer)).visible;
}
