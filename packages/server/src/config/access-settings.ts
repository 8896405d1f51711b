import { MAX_PROSE, listOf, oneOf, text, type Check } from '@catalog/core/manifest/field-checks';
import {
  choiceSetting,
  durationSetting,
  listSetting,
  numberSetting,
  pathSetting,
  switchSetting,
  textSetting,
  type Setting,
} from './setting.ts';

const HIDDEN = '***';
const secret = { mask: (): string => HIDDEN };
const secrets = { mask: (values: string[]): string[] => values.map(() => HIDDEN) };

const MAX_LIMIT = Number.MAX_SAFE_INTEGER;

/** Accepts one audience, or a list in a configuration file. */
const oneOrList: Check<string[]> = {
  shape: `a string, or ${listOf(text()).shape}`,
  read: (value, at) => listOf(text()).read(Array.isArray(value) ? value : [value], at),
};

export const ACCESS_SETTINGS = {
  'identity_provider.type': {
    summary:
      'How callers are authenticated: `oidc-jwt`, `injected-session-token`, or `trusted-headers`. If unset, callers are not authenticated.',
    env: ['CATALOG_IDENTITY_PROVIDER'],
    default: undefined,
    check: oneOf([
      'oidc-jwt',
      'injected-session-token',
      'trusted-headers',
      'oauth-device-code',
    ] as const),
    fromText: (value) => value,
  } satisfies Setting<
    'oidc-jwt' | 'injected-session-token' | 'trusted-headers' | 'oauth-device-code',
    undefined
  >,
  'identity_provider.issuer': textSetting({
    summary: 'Token issuer, an https URL. The key set is discovered from it.',
    env: ['CATALOG_OAUTH_ISSUER'],
    default: undefined,
  }),
  'identity_provider.audience': {
    summary: 'Accepted audiences of a token. Browser sign-in requests the first one.',
    env: ['CATALOG_OAUTH_AUDIENCE'],
    default: [],
    check: oneOrList,
    fromText: (value) => value.split(','),
  } satisfies Setting<string[], string[]>,
  'identity_provider.token_header': textSetting({
    summary: 'Header that carries the bearer credential.',
    env: ['CATALOG_OAUTH_TOKEN_HEADER'],
    default: 'Authorization',
  }),
  'identity_provider.subject_claim': textSetting({
    summary: 'Claim used as the subject instead of `sub`. Tokens without it are rejected.',
    env: ['CATALOG_OAUTH_SUBJECT_CLAIM'],
    default: undefined,
  }),
  'identity_provider.groups_claim': textSetting({
    summary: 'Claim that lists groups, instead of `groups`.',
    env: ['CATALOG_OAUTH_GROUPS_CLAIM'],
    default: undefined,
  }),
  'identity_provider.trust_email': switchSetting({
    summary:
      'Treat the email address in every token as verified, even without the claim `email_verified`. Set this only if the issuer verifies addresses and users cannot choose them.',
    env: ['CATALOG_OAUTH_TRUST_EMAIL'],
    default: false,
  }),
  'identity_provider.expiry_leeway': durationSetting({
    summary: 'Time for which a token is accepted after its `exp`.',
    env: ['CATALOG_OAUTH_EXPIRY_LEEWAY'],
    default: 0,
  }),
  'identity_provider.clock_leeway': durationSetting({
    summary: 'Maximum time by which `nbf` and `iat` of a token can be in the future.',
    env: ['CATALOG_OAUTH_CLOCK_LEEWAY'],
    default: 30,
  }),
  'identity_provider.group_mapping': {
    summary: 'Maps groups in the credential to group names: `claimed=group`.',
    env: ['CATALOG_IDP_GROUP_MAPPING'],
    default: [],
    check: listOf(text()),
    fromText: (value) => value.split(',').filter((entry) => entry.trim() !== ''),
  } satisfies Setting<string[], string[]>,
  'identity_provider.jwks_cache_ttl_seconds': numberSetting(
    { min: 1, max: 3600 },
    {
      summary: "Seconds for which the issuer's key set is cached.",
      env: ['CATALOG_OAUTH_JWKS_CACHE_TTL_SECONDS'],
      default: 300,
    },
  ),
  'identity_provider.client_id': textSetting({
    summary: 'Public client id at the issuer for `catalog login`; visible to any client.',
    env: ['CATALOG_OAUTH_CLI_CLIENT_ID'],
    default: 'catalog-cli',
  }),
  'identity_provider.runtime_keys_path': pathSetting({
    summary: 'File of public keys of trusted runtimes; read at startup.',
    env: ['CATALOG_RUNTIME_KEYS_PATH'],
    default: undefined,
  }),
  'identity_provider.proxy_secret': textSetting({
    summary: 'Secret that the proxy sends as `X-Catalog-Proxy-Secret`.',
    env: ['CATALOG_TRUSTED_PROXY_SECRET'],
    default: undefined,
    ...secret,
  }),
  'identity_provider.previous_proxy_secret': textSetting({
    summary:
      'Secret that the registry also accepts while you rotate `identity_provider.proxy_secret`.',
    env: ['CATALOG_TRUSTED_PROXY_PREVIOUS_SECRET'],
    default: undefined,
    ...secret,
  }),
  multi_tenant: switchSetting({
    summary: "Serve several tenants. The caller's organization selects the tenant.",
    env: ['CATALOG_MULTI_TENANT'],
    default: false,
  }),
  bootstrap_admins: listSetting({
    summary:
      'Subjects that hold the admin role from the start; on a multi-tenant registry, `tenant=subject`.',
    env: ['CATALOG_BOOTSTRAP_ADMINS'],
    default: [],
    of: text(MAX_PROSE),
  }),
  operator_admins: listSetting({
    summary: 'Subjects that manage the tenants of this registry.',
    env: ['CATALOG_OPERATOR_ADMINS'],
    default: [],
    of: text(MAX_PROSE),
  }),
  default_layer_visibility: choiceSetting(['organization', 'public', 'private'], {
    summary: 'Default visibility of layers from this file or `layer_path` that set none.',
    env: ['CATALOG_DEFAULT_LAYER_VISIBILITY'],
    default: 'organization',
  }),
  'scim.tokens': listSetting({
    summary:
      'Bearer tokens for provisioning users and groups at `/scim/v2`; on a multi-tenant registry, `tenant=token`. If unset, SCIM is disabled.',
    env: ['CATALOG_SCIM_TOKENS'],
    default: [],
    of: text(MAX_PROSE),
    ...secrets,
  }),
  'quota.storage_bytes': quotaSetting(
    'Storage limit per tenant, in bytes.',
    'CATALOG_QUOTA_STORAGE_BYTES',
  ),
  'quota.search_qps': quotaSetting(
    'Search limit per tenant, per second.',
    'CATALOG_QUOTA_SEARCH_QPS',
  ),
  'quota.materialize_rate': quotaSetting(
    'Artifact load limit per tenant, per second.',
    'CATALOG_QUOTA_MATERIALIZE_RATE',
  ),
  'quota.audit_volume_per_day': quotaSetting(
    'Audit record limit per tenant and day. Above it, changes are rejected until midnight UTC.',
    'CATALOG_QUOTA_AUDIT_VOLUME_PER_DAY',
  ),
  'quota.artifact_count': quotaSetting(
    'Artifact limit per tenant.',
    'CATALOG_QUOTA_ARTIFACT_COUNT',
  ),
  max_user_layers: {
    ...numberSetting(
      { min: -1, max: 1_000_000 },
      {
        summary:
          "Limit of personal layers per user. If set, it overrides the tenant's limit. A negative number disables the limit.",
        env: ['CATALOG_MAX_USER_LAYERS'],
        default: 3,
      },
    ),
    default: undefined,
    default_text: "3, or the tenant's limit",
  } satisfies Setting<number, undefined>,
  'web_ui.enabled': switchSetting({
    summary: 'Serve the web UI at `/app/`.',
    env: ['CATALOG_WEB_UI'],
    flag: 'web-ui',
    default: false,
  }),
  'web_ui.allow_public_bind': switchSetting({
    summary: 'Serve the web UI beyond this machine; also requires an identity provider.',
    env: ['CATALOG_WEB_UI_ALLOW_PUBLIC_BIND'],
    flag: 'web-ui-allow-public-bind',
    default: false,
  }),
  'web_ui.auth': switchSetting({
    summary: 'Enable browser sign-in.',
    env: ['CATALOG_WEB_UI_AUTH'],
    flag: 'web-ui-auth',
    default: false,
  }),
  'web_ui.oauth_client_id': textSetting({
    summary: 'Client id for browser sign-in at the issuer.',
    env: ['CATALOG_WEB_UI_OAUTH_CLIENT_ID'],
    default: undefined,
  }),
  'web_ui.oauth_client_secret': textSetting({
    summary: 'Client secret for browser sign-in.',
    env: ['CATALOG_WEB_UI_OAUTH_CLIENT_SECRET'],
    default: undefined,
    ...secret,
  }),
  'web_ui.redirect_uri': textSetting({
    summary:
      'Redirect URL for browser sign-in: the URL of this registry followed by `/v1/ui/auth/callback`.',
    env: ['CATALOG_WEB_UI_REDIRECT_URI'],
    default: undefined,
  }),
  'web_ui.oauth_authorization_endpoint': textSetting({
    summary: "The issuer's authorization endpoint.",
    env: ['CATALOG_WEB_UI_OAUTH_AUTHORIZATION_ENDPOINT'],
    default: undefined,
  }),
  'web_ui.oauth_token_endpoint': textSetting({
    summary: "The issuer's token endpoint.",
    env: ['CATALOG_WEB_UI_OAUTH_TOKEN_ENDPOINT'],
    default: undefined,
  }),
  'web_ui.oauth_scopes': listSetting({
    summary: 'Scopes that browser sign-in requests.',
    env: ['CATALOG_WEB_UI_OAUTH_SCOPES'],
    default: ['openid', 'profile', 'email', 'groups'],
  }),
  'web_ui.auth_transaction_ttl': durationSetting({
    summary: 'Time limit for completing a browser sign-in.',
    env: ['CATALOG_WEB_UI_AUTH_TRANSACTION_TTL'],
    default: 600,
  }),
} as const satisfies Readonly<Record<string, Setting>>;

function quotaSetting(summary: string, variable: string): Setting<number, number> {
  return numberSetting(
    { min: 0, max: MAX_LIMIT },
    { summary: `${summary} \`0\` means unlimited.`, env: [variable], default: 0 },
  );
}
