import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Settings } from './settings.ts';
import type { SettingOrigin } from './sourced.ts';

/** Requires that each credential of a multi-tenant registry belongs to one tenant (SPEC-91). */
export function checkGitCredentials(
  { multi_tenant, 'git.credentials': credentials }: Settings,
  origins: Readonly<Record<'git.credentials', SettingOrigin>>,
): void {
  const file = origins['git.credentials'].name;
  for (const { host, tenant } of credentials) {
    if ((tenant !== undefined) === multi_tenant) continue;
    throw new CatalogError(
      'config.invalid',
      multi_tenant
        ? `${file}: the git credential for ${host} names no tenant, so every tenant of this registry could read with it.`
        : `${file}: the git credential for ${host} names the tenant ${tenant}, but multi_tenant is off.`,
      {
        details: {
          file,
          key: 'registry.git.credentials',
          value: host,
          fields: ['git.credentials', 'multi_tenant'],
        },
        suggested_action: multi_tenant
          ? 'Add `tenant` with the name of the tenant whose layers use the credential.'
          : 'Remove `tenant`, or set multi_tenant to true.',
      },
    );
  }
}
