import { isEmailEntry } from '@catalog/core/layer/visibility';
import type { LayerReads } from '@catalog/core/ports/layers';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { ComposedRegistry } from './compose.ts';
import type { Settings } from './config/settings.ts';
import { listActiveTenants } from './jobs/list-active-tenants.ts';
import type { Log } from './observe/log.ts';

type Warned = Pick<ComposedRegistry, 'identity'> & {
  registry: Pick<ComposedRegistry['registry'], 'store' | 'stopping'>;
};

/**
 * Warns if layers list users by e-mail address although no caller can have a verified one, so that these entries never
 * match (SPEC-78).
 */
export async function warnOfEmailUsers(
  { registry, identity }: Warned,
  settings: Pick<Settings, 'identity_provider.trust_email'>,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  if (settings['identity_provider.trust_email'] || identity.announcesVerifiedEmail() !== false) {
    return;
  }
  for (const tenant of await listActiveTenants(registry)) {
    if (registry.stopping.aborted) return;
    const layers = await listNamingEmail(registry.store.layers, tenant);
    if (layers.length === 0) continue;
    log.warn(
      { layers },
      'layers list users by email address, which matches only tokens with "email_verified": true, and the identity provider does not announce that claim: list users by subject, or set identity_provider.trust_email if the issuer verifies addresses',
    );
    return;
  }
}

async function listNamingEmail(layers: LayerReads, tenant: Tenant): Promise<string[]> {
  const all = await layers.list(tenant);
  return all.filter(({ users }) => users?.some(isEmailEntry) === true).map(({ id }) => id);
}
