import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { LayerVisibility } from '@catalog/core/layer/visibility';
import { ONLY_TENANT_NAME, type Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';
import { declareLayers, type DeclarationEffects, type LayerDeclaration } from './declare-layers.ts';

export async function declareTenantLayers(
  registry: Registry,
  declared: ReadonlyMap<string, readonly LayerDeclaration[]>,
  default_visibility: LayerVisibility,
): Promise<DeclarationEffects> {
  const tenants = new Map<Tenant, readonly LayerDeclaration[]>();
  for (const [name, layers] of declared) tenants.set(await loadTenant(registry, name), layers);
  const all: DeclarationEffects = { replaced: [], returned: [] };
  for (const [tenant, layers] of tenants) {
    const effects = await declareLayers(registry, tenant, layers, default_visibility);
    all.replaced.push(...effects.replaced);
    all.returned.push(...effects.returned);
  }
  return all;
}

/** Loads a tenant by name. An unknown name stops startup, because a typo must not create a tenant. */
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
