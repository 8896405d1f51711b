import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { TenantAnswer } from '@catalog/contract/records/access';
import { nearest } from '@catalog/core/text/nearest';
import type { RegistryClient } from '@catalog/sdk/client';

/** Finds a tenant by name or id. The API accepts only ids. */
export async function findTenant(
  client: RegistryClient,
  tenant: string,
  signal: AbortSignal,
): Promise<TenantAnswer> {
  const { tenants } = await client.listTenants(signal);
  const found = tenants.find(({ id, name }) => id === tenant || name === tenant);
  if (found !== undefined) return found;
  const near = nearest(
    tenant,
    tenants.map(({ name }) => name),
  );
  throw new CatalogError('registry.tenant_not_found', `Tenant ${tenant} does not exist.`, {
    details: { id: tenant },
    suggested_action:
      near === undefined
        ? 'List tenants with `catalog admin tenant list`, or create one with `catalog admin tenant create <name>`.'
        : `Did you mean \`${near}\`?`,
  });
}
