import type { Settings } from '@catalog/server/config/settings';

export interface ProviderUser {
  name: string;
  email: string;
  groups: readonly string[];
  org_id?: string;
}

export const PROVIDER_PASSWORD = 'password';

export const PROVIDER_USERS: readonly ProviderUser[] = [
  {
    name: 'alice',
    email: 'alice@example.com',
    groups: ['engineering', 'platform'],
    org_id: 'acme',
  },
  { name: 'bob', email: 'bob@example.com', groups: [], org_id: 'globex' },
];

export const WEB_CLIENT = { id: 'catalog-web', secret: 'secret of the web client' } as const;
export const CLI_CLIENT_ID = 'catalog-cli';

export interface ProviderServer {
  /** Issuer without a trailing slash. */
  issuer: string;
  /** Certificate authority in PEM. */
  ca: string;
  ca_file: string;
  audience: readonly string[];
  authorization_endpoint: string;
  token_endpoint: string;
  device_authorization_endpoint: string;
  /** Returns settings, with those of the web UI. */
  settings(redirect_uri: string): Partial<Settings>;
  credentialsOf(name: string): { login: string; password: string };
  /** Confirms a code of the device flow; `complete` is `verification_uri_complete`. */
  approveDevice(complete: string, name: string): Promise<void>;
  close(): Promise<void>;
}

export function registrySettings(
  provider: Pick<
    ProviderServer,
    'issuer' | 'ca_file' | 'audience' | 'authorization_endpoint' | 'token_endpoint'
  >,
  redirect_uri: string,
): Partial<Settings> {
  return {
    'identity_provider.type': 'oidc-jwt',
    'identity_provider.issuer': provider.issuer,
    'identity_provider.audience': [...provider.audience],
    ca_file: provider.ca_file,
    'egress.allowed_hosts': [new URL(provider.issuer).host],
    'web_ui.enabled': true,
    'web_ui.auth': true,
    'web_ui.oauth_client_id': WEB_CLIENT.id,
    'web_ui.oauth_client_secret': WEB_CLIENT.secret,
    'web_ui.redirect_uri': redirect_uri,
    'web_ui.oauth_authorization_endpoint': provider.authorization_endpoint,
    'web_ui.oauth_token_endpoint': provider.token_endpoint,
  };
}
