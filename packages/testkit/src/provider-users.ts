import type { Settings } from '@catalog/server/config/settings';

/** Somebody a provider of the tests knows. */
export interface ProviderUser {
  name: string;
  email: string;
  groups: readonly string[];
  /** The organization; undefined for who belongs to none. */
  org_id?: string;
}

/** Who can sign in at every provider of the tests, with this password. */
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

/** Clients every provider of the tests knows: one for the registry's web UI, one for the command line. */
export const WEB_CLIENT = { id: 'catalog-web', secret: 'secret of the web client' } as const;
export const CLI_CLIENT_ID = 'catalog-cli';

/** A real identity provider on a loopback port, over https. */
export interface ProviderServer {
  /** Without a slash at the end. */
  issuer: string;
  /** The authority its certificate is of, in PEM, and as a file. */
  ca: string;
  ca_file: string;
  /** Accepted audiences for the registry: what its access tokens say. */
  audience: readonly string[];
  authorization_endpoint: string;
  token_endpoint: string;
  device_authorization_endpoint: string;
  /** The settings of a registry that takes its tokens; the web UI's parts are among them. */
  settings(redirect_uri: string): Partial<Settings>;
  /** Signs a user in at the login page a browser was led to. */
  credentialsOf(name: string): { login: string; password: string };
  /** Lets a device in, as a person would who enters its code; `complete` is `verification_uri_complete`. */
  approveDevice(complete: string, name: string): Promise<void>;
  close(): Promise<void>;
}

/** The settings of a registry that trusts a provider and lets people sign in with a browser. */
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
