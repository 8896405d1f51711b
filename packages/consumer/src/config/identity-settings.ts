import { resolve } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { userFolder } from '@catalog/core/node/user-folder';
import { expandHome } from '@catalog/core/text/expand-home';
import { isAddress } from './is-address.ts';
import { BUILT_IN, first, fromDefaults, variable } from './sourced.ts';
import type { ConfigFile, ConfigInput, IdentitySettings, Sourced } from './types.ts';

export const IDENTITY_PROVIDERS = ['oauth-device-code', 'injected-session-token'] as const;
export type ConsumerIdentityProvider = (typeof IDENTITY_PROVIDERS)[number];

export const TOKEN_STORES = ['keychain', 'file'] as const;
export type TokenStoreKind = (typeof TOKEN_STORES)[number];

export function resolveIdentity(
  input: ConfigInput,
  files: readonly ConfigFile[],
  registry: Sourced<string> | undefined,
): IdentitySettings {
  const provider = first(
    variable(input, 'CATALOG_IDENTITY_PROVIDER'),
    fromDefaults(files, (defaults) => defaults.identity),
  ) ?? { value: IDENTITY_PROVIDERS[0], origin: BUILT_IN };
  const token_store = variable(input, 'CATALOG_TOKEN_STORE');
  // A folder needs no identity, so its settings are not checked.
  if (registry !== undefined && isAddress(registry.value)) {
    requireOneOf(provider, IDENTITY_PROVIDERS);
    if (token_store !== undefined) requireOneOf(token_store, TOKEN_STORES);
  }
  const file = variable(input, 'CATALOG_SESSION_TOKEN_FILE');
  return {
    provider,
    token: variable(input, 'CATALOG_TOKEN'),
    session_token_file:
      file === undefined
        ? undefined
        : { ...file, value: resolve(input.cwd, expandHome(file.value, input.home)) },
    session_token_env: variable(input, 'CATALOG_SESSION_TOKEN_ENV') ?? {
      value: 'CATALOG_SESSION_TOKEN',
      origin: BUILT_IN,
    },
    readVariable: (name) => variable(input, name)?.value,
    authorization_endpoint: variable(input, 'CATALOG_OAUTH_AUTHORIZATION_ENDPOINT'),
    token_url: variable(input, 'CATALOG_OAUTH_TOKEN_URL'),
    client_id: variable(input, 'CATALOG_OAUTH_CLIENT_ID'),
    audience: variable(input, 'CATALOG_OAUTH_AUDIENCE'),
    scopes: variable(input, 'CATALOG_OAUTH_SCOPES'),
    keychain_name: variable(input, 'CATALOG_TOKEN_KEYCHAIN_NAME') ?? {
      value: 'catalog',
      origin: BUILT_IN,
    },
    token_store,
    folder: `${userFolder(input.home)}/credentials`,
  };
}

/** Lists identity settings for `catalog config show`. Of tokens, only their presence is shown. */
export function listIdentityValues(
  identity: IdentitySettings,
): [key: string, value: Sourced<unknown>][] {
  const unset = { value: undefined, origin: BUILT_IN };
  const { token } = identity;
  return [
    ['identity.token', token === undefined ? unset : { ...token, value: '***' }],
    ['identity.token_store', identity.token_store ?? { value: TOKEN_STORES[0], origin: BUILT_IN }],
    ['identity.keychain_name', identity.keychain_name],
    ['identity.session_token_file', identity.session_token_file ?? unset],
    ['identity.session_token_env', identity.session_token_env],
    ['identity.authorization_endpoint', identity.authorization_endpoint ?? unset],
    ['identity.token_url', identity.token_url ?? unset],
    ['identity.client_id', identity.client_id ?? unset],
    ['identity.audience', identity.audience ?? unset],
    ['identity.scopes', identity.scopes ?? unset],
  ];
}

function requireOneOf({ value, origin }: Sourced<string>, values: readonly string[]): void {
  if (values.includes(value)) return;
  const all = values.map((one) => `\`${one}\``).join(' or ');
  throw new CatalogError('config.invalid', `${origin.name} is ${value}, but must be ${all}.`, {
    details: { available: [...values] },
    suggested_action: `Set ${all}, or leave it out.`,
  });
}
