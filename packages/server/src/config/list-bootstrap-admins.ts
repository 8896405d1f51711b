import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { tenantName } from '@catalog/contract/records/access';
import { ONLY_TENANT_NAME } from '@catalog/core/ports/tenant';
import type { Settings } from './settings.ts';
import type { FirstAdmin } from '../registry/access/declare-tenants.ts';

/** Parses the first administrators: `tenant=subject` on a multi-tenant registry, otherwise the subject. */
export function listBootstrapAdmins({
  bootstrap_admins,
  multi_tenant,
}: Pick<Settings, 'bootstrap_admins' | 'multi_tenant'>): FirstAdmin[] {
  return bootstrap_admins.map((entry) =>
    multi_tenant ? readEntry(entry) : { tenant: ONLY_TENANT_NAME, user_id: entry },
  );
}

function readEntry(entry: string): FirstAdmin {
  const equals = entry.indexOf('=');
  const tenant = tenantName.safeParse(entry.slice(0, Math.max(equals, 0)));
  const user_id = entry.slice(equals + 1).trim();
  if (tenant.success && user_id !== '') return { tenant: tenant.data, user_id };
  throw new CatalogError(
    'config.invalid',
    `bootstrap_admins: \`${entry}\` is not in the form \`tenant=subject\`.`,
    {
      details: { key: 'bootstrap_admins', value: entry },
      suggested_action: 'On a multi-tenant registry, write each entry as `tenant=subject`.',
    },
  );
}
