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

/** What may be shown of a secret: that there is one. */
const HIDDEN = '***';
const secret = { mask: (): string => HIDDEN };
const secrets = { mask: (values: string[]): string[] => values.map(() => HIDDEN) };

const MOST = Number.MAX_SAFE_INTEGER;

/** A file may write one audience without a list around it. */
const oneOrList: Check<string[]> = {
  shape: `a text, or ${listOf(text()).shape}`,
  read: (value, at) => listOf(text()).read(Array.isArray(value) ? value : [value], at),
};

/** Who is asking, what they may do, whose data it is and how much of it. */
export const ACCESS_SETTINGS = {
  'identity_provider.type': {
    summary:
      'How callers are told apart: `oidc-jwt`, `injected-session-token` or `trusted-headers`. Unset, nobody is told apart.',
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
    summary: 'The issuer of tokens, an https address; its key set is found by discovery.',
    env: ['CATALOG_OAUTH_ISSUER'],
    default: undefined,
  }),
  'identity_provider.audience': {
    summary: 'Audiences a token may be for; the first is the one the browser sign-in asks for.',
    env: ['CATALOG_OAUTH_AUDIENCE'],
    default: [],
    check: oneOrList,
    fromText: (value) => value.split(','),
  } satisfies Setting<string[], string[]>,
  'identity_provider.token_header': textSetting({
    summary: 'The header that carries the bearer credential.',
    env: ['CATALOG_OAUTH_TOKEN_HEADER'],
    default: 'Authorization',
  }),
  'identity_provider.subject_claim': textSetting({
    summary: 'The claim that names the subject instead of `sub`; a token without it is refused.',
    env: ['CATALOG_OAUTH_SUBJECT_CLAIM'],
    default: undefined,
  }),
  'identity_provider.groups_claim': textSetting({
    summary: 'The claim that lists groups, instead of `groups`.',
    env: ['CATALOG_OAUTH_GROUPS_CLAIM'],
    default: undefined,
  }),
  'identity_provider.trust_email': switchSetting({
    summary:
      'Treat the e-mail address in every token as verified, also without the claim `email_verified`. Set it only if the issuer verifies addresses and users cannot choose them.',
    env: ['CATALOG_OAUTH_TRUST_EMAIL'],
    default: false,
  }),
  'identity_provider.group_mapping': {
    summary: 'Names of groups by what the credential calls them: `claimed=group`.',
    env: ['CATALOG_IDP_GROUP_MAPPING'],
    default: [],
    check: listOf(text()),
    fromText: (value) => value.split(',').filter((entry) => entry.trim() !== ''),
  } satisfies Setting<string[], string[]>,
  'identity_provider.jwks_cache_ttl_seconds': numberSetting(
    { min: 1, max: 3600 },
    {
      summary: "Seconds for which the issuer's key set is fresh.",
      env: ['CATALOG_OAUTH_JWKS_CACHE_TTL_SECONDS'],
      default: 300,
    },
  ),
  'identity_provider.client_id': textSetting({
    summary: 'The public client at the issuer that `catalog login` uses; told to who asks.',
    env: ['CATALOG_OAUTH_CLI_CLIENT_ID'],
    default: 'catalog-cli',
  }),
  'identity_provider.runtime_keys_path': pathSetting({
    summary: 'The file of public keys whose session tokens are trusted; read at the start.',
    env: ['CATALOG_RUNTIME_KEYS_PATH'],
    default: undefined,
  }),
  'identity_provider.proxy_secret': textSetting({
    summary: 'What the proxy in front sends as `X-Catalog-Proxy-Secret`.',
    env: ['CATALOG_TRUSTED_PROXY_SECRET'],
    default: undefined,
    ...secret,
  }),
  multi_tenant: switchSetting({
    summary: "Serve several tenants; each request belongs to that of its caller's organization.",
    env: ['CATALOG_MULTI_TENANT'],
    default: false,
  }),
  bootstrap_admins: listSetting({
    summary:
      'Subjects who hold the admin role from the start; on a multi-tenant registry `tenant=subject`.',
    env: ['CATALOG_BOOTSTRAP_ADMINS'],
    default: [],
    of: text(MAX_PROSE),
  }),
  operator_admins: listSetting({
    summary: 'Subjects who manage the tenants of this registry.',
    env: ['CATALOG_OPERATOR_ADMINS'],
    default: [],
    of: text(MAX_PROSE),
  }),
  default_layer_visibility: choiceSetting(['organization', 'public', 'private'], {
    summary: 'Who sees a layer of this file, or of `layer_path`, that says nothing about it.',
    env: ['CATALOG_DEFAULT_LAYER_VISIBILITY'],
    default: 'organization',
  }),
  'scim.tokens': listSetting({
    summary:
      'Bearer tokens with which a directory may push users and groups to `/scim/v2`; on a multi-tenant registry `tenant=token`. Unset, nothing is served there.',
    env: ['CATALOG_SCIM_TOKENS'],
    default: [],
    of: text(MAX_PROSE),
    ...secrets,
  }),
  'quota.storage_bytes': quotaSetting('Bytes a tenant may hold.', 'CATALOG_QUOTA_STORAGE_BYTES'),
  'quota.search_qps': quotaSetting('Searches of a tenant a second.', 'CATALOG_QUOTA_SEARCH_QPS'),
  'quota.materialize_rate': quotaSetting(
    'Artifacts a tenant may load a second.',
    'CATALOG_QUOTA_MATERIALIZE_RATE',
  ),
  'quota.audit_volume_per_day': quotaSetting(
    'Audit records of a tenant a day; past it nothing of it is changed until midnight UTC.',
    'CATALOG_QUOTA_AUDIT_VOLUME_PER_DAY',
  ),
  'quota.artifact_count': quotaSetting(
    'Artifacts the layers of a tenant may serve.',
    'CATALOG_QUOTA_ARTIFACT_COUNT',
  ),
  max_user_layers: {
    ...numberSetting(
      { min: -1, max: 1_000_000 },
      {
        summary:
          'Personal layers one identity may have; set, it goes before what tenants say. A negative number is no cap.',
        env: ['CATALOG_MAX_USER_LAYERS'],
        default: 3,
      },
    ),
    default: undefined,
    default_text: '3, or what the tenant says',
  } satisfies Setting<number, undefined>,
  'web_ui.enabled': switchSetting({
    summary: 'Serve the web UI at `/app/`.',
    env: ['CATALOG_WEB_UI'],
    flag: 'web-ui',
    default: false,
  }),
  'web_ui.allow_public_bind': switchSetting({
    summary: 'Serve the web UI beyond this machine; needs an identity provider too.',
    env: ['CATALOG_WEB_UI_ALLOW_PUBLIC_BIND'],
    flag: 'web-ui-allow-public-bind',
    default: false,
  }),
  'web_ui.auth': switchSetting({
    summary: 'Let people sign in with the browser.',
    env: ['CATALOG_WEB_UI_AUTH'],
    flag: 'web-ui-auth',
    default: false,
  }),
  'web_ui.oauth_client_id': textSetting({
    summary: 'The client of the browser sign-in at the issuer.',
    env: ['CATALOG_WEB_UI_OAUTH_CLIENT_ID'],
    default: undefined,
  }),
  'web_ui.oauth_client_secret': textSetting({
    summary: 'The secret of that client.',
    env: ['CATALOG_WEB_UI_OAUTH_CLIENT_SECRET'],
    default: undefined,
    ...secret,
  }),
  'web_ui.redirect_uri': textSetting({
    summary:
      'Where the issuer sends the browser back to: the address of this registry and `/v1/ui/auth/callback`.',
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
    summary: 'Scopes the browser sign-in asks for.',
    env: ['CATALOG_WEB_UI_OAUTH_SCOPES'],
    default: ['openid', 'profile', 'email', 'groups'],
  }),
  'web_ui.auth_transaction_ttl': durationSetting({
    summary: 'How long a person may take to sign in.',
    env: ['CATALOG_WEB_UI_AUTH_TRANSACTION_TTL'],
    default: 600,
    default_text: '10m',
  }),
} as const satisfies Readonly<Record<string, Setting>>;

function quotaSetting(summary: string, variable: string): Setting<number, number> {
  return numberSetting(
    { min: 0, max: MOST },
    { summary: `${summary} \`0\` is unlimited.`, env: [variable], default: 0 },
  );
}
