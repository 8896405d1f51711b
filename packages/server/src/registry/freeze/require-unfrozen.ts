import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { FreezeBlock } from '@catalog/contract/records/freeze';
import { listActive, type ActiveWindow } from '@catalog/core/freeze/freeze-window';
import type { FreezeReads } from '@catalog/core/ports/freezes';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';

/** Returns the active windows that block an action, the one that ends last first. */
export async function listBlocking(
  registry: Registry,
  freezes: FreezeReads,
  tenant: Tenant,
  block: FreezeBlock,
): Promise<ActiveWindow[]> {
  const windows = [...registry.settings.freeze_windows, ...(await freezes.listWindows(tenant))];
  return listActive(windows, block, registry.now());
}

/** Has no override: break-glass applies to ingests only. */
export async function requireLayerConfigUnfrozen(
  registry: Registry,
  freezes: FreezeReads,
  tenant: Tenant,
): Promise<void> {
  const [window] = await listBlocking(registry, freezes, tenant, 'layer-config');
  if (window === undefined) return;
  const { name, end } = window;
  throw new CatalogError(
    'ingest.frozen',
    `The freeze window \`${name}\` blocks changes of layers until ${end.toISOString()}.`,
    {
      details: { window: name, end: end.toISOString() },
      suggested_action: 'Try again after the window ends.',
    },
  );
}
