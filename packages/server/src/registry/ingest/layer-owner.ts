import type { Caller } from '@catalog/core/identity/caller';
import { isLayerVisible } from '@catalog/core/layer/visibility';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { StoreReads } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';

/**
 * For whom a layer is ingested. That of a personal one is its owner, as far as the registry knows them
 * without a token: their subject, and the groups the directory records. An admin-defined one may build
 * upon everything admins define.
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

/** Whether what one layer brings may be noticed in another: always, but by who may not see it. */
export async function mayNotice(
  registry: Pick<Registry, 'settings'>,
  reads: Pick<StoreReads, 'directory'>,
  tenant: Tenant,
  noticing: LayerRecord,
  bringing: LayerRecord,
): Promise<boolean> {
  if (!noticing.user_defined) return true;
  if (bringing.user_defined) return noticing.owner === bringing.owner;
  return isLayerVisible(bringing, await ownerOf(registry, reads, tenant, noticing)).visible;
}
