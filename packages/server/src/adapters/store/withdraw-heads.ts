import type { StoreWrites } from '@catalog/core/ports/store';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';

export async function withdrawHeads(
  { versions, search, domains }: Pick<StoreWrites, 'versions' | 'search' | 'domains'>,
  tenant: Tenant,
  layer: LayerNumber,
  step: { heads: number; afterwards?: () => Promise<unknown> },
): Promise<void> {
  for (;;) {
    const heads = await versions.listHeadIds(tenant, layer, '', step.heads);
    if (heads.length === 0) break;
    const removed = heads.map(({ id }) => id);
    await domains.countHeads(tenant, layer, { added: [], removed });
    await search.removeDocuments(tenant, layer, removed);
    await versions.removeHeads(tenant, layer, removed);
    await step.afterwards?.();
  }
  await domains.removeDomains(tenant, layer, await domains.listPaths(tenant, layer));
}
