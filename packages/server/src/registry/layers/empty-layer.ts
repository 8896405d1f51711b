import { setImmediate } from 'node:timers/promises';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import { withdrawHeads } from '../ingest/put-versions.ts';

const CHUNK = 500;

/** Removes the content of a layer, in the transaction of the change. Versions and the ledger stay (SPEC-7, SPEC-20). */
export async function emptyLayer(
  writes: StoreWrites,
  tenant: Tenant,
  layer: LayerNumber,
): Promise<void> {
  const { versions, domains } = writes;
  for (;;) {
    const heads = await versions.listHeadIds(tenant, layer, '', CHUNK);
    if (heads.length === 0) break;
    const ids = heads.map(({ id }) => id);
    await withdrawHeads(writes, tenant, layer, ids);
    await setImmediate();
  }
  await domains.removeDomains(tenant, layer, await domains.listPaths(tenant, layer));
  const rejections = await versions.listRejections(tenant, [layer]);
  await versions.removeRejections(
    tenant,
    layer,
    rejections.map(({ artifact_id }) => artifact_id),
  );
  await writes.layers.touch(tenant, layer);
}
