import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { SendRequest } from '../adapters/egress/send-request.ts';
import { normalizeAudiences } from '../config/audiences.ts';
import { checkIdentity } from '../config/check-identity.ts';
import type { Settings } from '../config/settings.ts';
import { createGroupMapping } from './group-mapping.ts';
import { openKeySet } from './oidc/key-set.ts';
import { createOidcProvider } from './oidc/oidc-provider.ts';
import type { StoredKeys } from './oidc/stored-keys.ts';
import { openProvider, type IdentityProvider } from './provider.ts';
import { createInjectedProvider } from './runtime/injected-provider.ts';
import { loadRuntimeKeys } from './runtime/runtime-keys.ts';
import type { ClaimRules } from './to-identity.ts';
import { createTrustedHeadersProvider } from './trusted-headers.ts';

export interface IdentityDependencies {
  /** Sends requests to the issuer and to the URLs that the issuer names, and to no other host. */
  send: SendRequest;
  stored: StoredKeys;
  now: () => Date;
  monotonicMs: () => number;
}

/**
 * Opens the configured identity provider. Sends no request, so that a registry can start while its issuer is
 * unavailable (SPEC-14).
 */
export function openIdentityProvider(
  settings: Settings,
  world: IdentityDependencies,
): IdentityProvider {
  checkIdentity(settings);
  const type = settings['identity_provider.type'];
  if (type === undefined) return openProvider;
  const mapGroups = createGroupMapping(settings['identity_provider.group_mapping']);
  if (type === 'trusted-headers') {
    const proxy_secrets = [
      settings['identity_provider.proxy_secret'] ?? '',
      settings['identity_provider.previous_proxy_secret'] ?? '',
    ].filter((secret) => secret !== '');
    return createTrustedHeadersProvider({ proxy_secrets, mapGroups });
  }
  const tokens = {
    audiences: normalizeAudiences(settings['identity_provider.audience']),
    token_header: settings['identity_provider.token_header'].toLowerCase(),
    rules: claimRules(settings),
    mapGroups,
    leeway: {
      expiry: settings['identity_provider.expiry_leeway'],
      start: settings['identity_provider.clock_leeway'],
    },
    now: world.now,
  };
  const { 'identity_provider.issuer': issuer, 'identity_provider.runtime_keys_path': path } =
    settings;
  if (type === 'oidc-jwt' && issuer !== undefined) {
    const ttl_ms = settings['identity_provider.jwks_cache_ttl_seconds'] * 1000;
    const { send, stored, monotonicMs } = world;
    const keys = openKeySet({ issuer, ttl_ms, send, stored, monotonicMs });
    return createOidcProvider({ ...tokens, keys, reads_cookie: settings['web_ui.auth'] });
  }
  if (type === 'injected-session-token' && path !== undefined) {
    return createInjectedProvider({ ...tokens, keys: loadRuntimeKeys(path) });
  }
  throw new CatalogError(
    'config.identity_provider_unverified',
    `No provider can verify credentials of type ${type}.`,
    { details: { key: 'identity_provider.type', value: type } },
  );
}

function claimRules(settings: Settings): ClaimRules {
  return {
    subject: settings['identity_provider.subject_claim'] ?? 'sub',
    groups: settings['identity_provider.groups_claim'] ?? 'groups',
    trust_email: settings['identity_provider.trust_email'],
  };
}
