import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { readMapping } from '../identity/group-mapping.ts';
import { loadRuntimeKeys } from '../identity/runtime/runtime-keys.ts';
import { normalizeAudiences } from './audiences.ts';
import { isLoopbackHost, loadBindAddress } from './bind-address.ts';
import { checkBrowserSignIn, checkWebUiBind } from './check-web-ui.ts';
import { invalidSetting } from './invalid-setting.ts';
import type { Settings } from './settings.ts';
import { listBootstrapAdmins } from './list-bootstrap-admins.ts';

/**
 * Checks the settings of authentication, more specific rules first: browser sign-in in public mode is reported as a
 * problem of sign-in.
 */
export function checkIdentity(settings: Settings): void {
  checkVerifiable(settings);
  checkBrowserSignIn(settings);
  checkWebUiBind(settings);
  checkPublicMode(settings);
  checkTenancy(settings);
  checkNames(settings);
  checkTokens(settings);
  checkTrustedHeaders(settings);
  checkRuntimeKeys(settings);
}

/** Rejects the device flow: a registry has no way to verify it. */
function checkVerifiable({ 'identity_provider.type': type }: Settings): void {
  if (type !== 'oauth-device-code') return;
  throw new CatalogError(
    'config.identity_provider_unverified',
    'oauth-device-code is a sign-in method for consumers; a registry cannot authenticate requests with it.',
    {
      details: { key: 'identity_provider.type', value: type },
      suggested_action:
        'Use oidc-jwt, which accepts the tokens of the device flow. If CATALOG_IDENTITY_PROVIDER is meant for a consumer on this machine, unset it for the registry.',
    },
  );
}

function checkPublicMode({ public_mode, 'identity_provider.type': type }: Settings): void {
  if (!public_mode || type === undefined) return;
  throw new CatalogError(
    'config.public_mode_with_idp',
    `Public mode serves all callers anonymously, but the identity provider ${type} authenticates them.`,
  );
}

/**
 * Requires an identity provider for several tenants, because the organization of the caller selects
 * the tenant.
 */
function checkTenancy(settings: Settings): void {
  if (!settings.multi_tenant) return;
  const { 'identity_provider.type': type, 'identity_provider.proxy_secret': secret } = settings;
  if (type === undefined) {
    throw invalidSetting(
      'multi_tenant',
      `A multi-tenant registry needs an identity provider${settings.public_mode ? ', which public mode does not allow' : ''}.`,
      'Set identity_provider.type, or disable multi_tenant.',
      ['multi_tenant', 'identity_provider.type'],
    );
  }
  listBootstrapAdmins(settings);
  if (type === 'trusted-headers' && isBlank(secret)) {
    throw new CatalogError(
      'config.trusted_headers_multitenant_no_secret',
      'Any client that reaches the port could claim any tenant, because no proxy secret is configured.',
    );
  }
}

const TAKEN_HEADERS = new Set(['cookie', 'host', 'content-type', 'content-length', 'connection']);

function checkNames(settings: Settings): void {
  const header = settings['identity_provider.token_header'];
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(header) || TAKEN_HEADERS.has(header.toLowerCase())) {
    throw invalidSetting(
      'identity_provider.token_header',
      'identity_provider.token_header is not a valid header name.',
      'Use Authorization, or the header in which your proxy sends the token.',
    );
  }
  for (const key of [
    'identity_provider.subject_claim',
    'identity_provider.groups_claim',
  ] as const) {
    const name = settings[key];
    if (name === undefined || (name === name.trim() && name !== '')) continue;
    throw invalidSetting(
      key,
      `${key} is not a valid claim name.`,
      'Set the name of the claim, or remove the setting.',
    );
  }
  for (const entry of settings['identity_provider.group_mapping']) {
    const { claimed, group } = readMapping(entry);
    if (claimed !== '' && group !== '') continue;
    throw invalidSetting(
      'identity_provider.group_mapping',
      'identity_provider.group_mapping has an entry that is not in the form `claimed=group`.',
      'Write each entry as `claimed=group`.',
    );
  }
}

function checkTokens(settings: Settings): void {
  const { 'identity_provider.type': type, 'identity_provider.issuer': issuer } = settings;
  const hasAudience = normalizeAudiences(settings['identity_provider.audience']).length > 0;
  if (type === 'oidc-jwt') {
    if (!isHttps(issuer)) {
      throw new CatalogError(
        'config.invalid_issuer_scheme',
        issuer === undefined
          ? 'oidc-jwt needs an issuer, but identity_provider.issuer is not set.'
          : 'identity_provider.issuer is not an https URL, so an attacker on the network could replace the keys.',
        { details: { key: 'identity_provider.issuer' } },
      );
    }
    if (!hasAudience) {
      throw new CatalogError(
        'config.oidc_jwt_audience_unset',
        'Without an audience, tokens issued for any other service would be accepted.',
      );
    }
  }
  if (type === 'injected-session-token' && !hasAudience) {
    throw new CatalogError(
      'config.injected_token_audience_unset',
      'Without an audience, tokens that a runtime issued for any other service would be accepted.',
    );
  }
}

/**
 * Requires an HTTPS URL without a query, because discovery URLs are derived from it, and without a password, which
 * could leak.
 */
function isHttps(issuer: string | undefined): boolean {
  const url = issuer === undefined ? null : URL.parse(issuer);
  return (
    url?.protocol === 'https:' &&
    url.search === '' &&
    url.hash === '' &&
    url.username === '' &&
    url.password === ''
  );
}

/**
 * Requires a proxy secret for trusted headers on a public bind address: otherwise every client could claim any
 * identity.
 */
function checkTrustedHeaders(settings: Settings): void {
  if (
    !isBlank(settings['identity_provider.previous_proxy_secret']) &&
    isBlank(settings['identity_provider.proxy_secret'])
  ) {
    throw invalidSetting(
      'identity_provider.previous_proxy_secret',
      'A previous proxy secret needs a current one.',
      'Set identity_provider.proxy_secret to the new secret.',
      ['identity_provider.previous_proxy_secret', 'identity_provider.proxy_secret'],
    );
  }
  if (settings['identity_provider.type'] !== 'trusted-headers') return;
  if (!isBlank(settings['identity_provider.proxy_secret']) || settings.allow_public_bind) return;
  if (isLoopbackHost(loadBindAddress(settings.bind).host)) return;
  throw new CatalogError(
    'config.trusted_headers_public_bind',
    `Any client that reaches ${settings.bind} could claim any identity: no proxy secret is configured, and the bind address is not loopback.`,
    { details: { bind: settings.bind } },
  );
}

/** Reads the file of runtime keys at startup, so that problems are found before a key is needed. */
function checkRuntimeKeys(settings: Settings): void {
  const { 'identity_provider.type': type, 'identity_provider.runtime_keys_path': path } = settings;
  const isNeeded = type === 'injected-session-token';
  if (path === undefined) {
    if (!isNeeded) return;
    throw noKeys(
      'injected-session-token needs the public keys of trusted runtimes, but no key file is configured.',
    );
  }
  const keys = loadRuntimeKeys(path);
  if (isNeeded && keys.length === 0) throw noKeys(`${path} contains no key.`);
}

function noKeys(message: string): CatalogError {
  return new CatalogError('config.runtime_keys_unavailable', message, {
    details: { key: 'identity_provider.runtime_keys_path' },
  });
}

function isBlank(value: string | undefined): boolean {
  return value === undefined || value.trim() === '';
}
