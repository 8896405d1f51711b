import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { LayerVisibility } from '@catalog/core/layer/visibility';
import type { LayerRecord } from '@catalog/core/ports/layers';
import { ONLY_TENANT_NAME, type Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';
import { declareLayers, type LayerDeclaration } from './declare-layers.ts';

/** Declares the layers of the configuration, by the name of their tenant; returns the personal layers they replaced. */
export async function declareTenantLayers(
  registry: Registry,
  declared: ReadonlyMap<string, readonly LayerDeclaration[]>,
  default_visibility: LayerVisibility,
): Promise<LayerRecord[]> {
  const tenants = new Map<Tenant, readonly LayerDeclaration[]>();
  for (const [name, layers] of declared) tenants.set(await loadTenant(registry, name), layers);
  const replaced: LayerRecord[] = [];
  for (const [tenant, layers] of tenants) {
    replaced.push(...(await declareLayers(registry, tenant, layers, default_visibility)));
  }
  return replaced;
}

/** A misspelled tenant must not become a new one, so it stops the start. */
async function loadTenant({ store }: Registry, name: string): Promise<Tenant> {
  const record = await store.tenants.find(name);
  if (record !== undefined) return record.tenant;
  throw new CatalogError(
    'config.invalid',
    `The configuration declares layers of the tenant ${name}, which does not exist.`,
    {
      details: { key: 'registry.layers', value: name },
      suggested_action: `Fix the name, create the tenant with \`catalog admin tenant create\`, or name an admin in bootstrap_admins, which creates it; the tenant \`${ONLY_TENANT_NAME}\` always exists.`,
    },
  );
}
