import type { AnnouncedContentRule } from '@catalog/contract/records/discovery';
import { MAX_FREEZE_WINDOWS, type FreezeWindow } from '@catalog/contract/records/freeze';
import { SANDBOX_PROFILES } from '@catalog/core/artifact/types';
import { DEFAULT_DISCOVERY } from '@catalog/core/domain/discovery';
import { DEFAULT_LIMITS } from '@catalog/core/lint/context';
import { MAX_PROSE, listOf, oneOf, text } from '@catalog/core/manifest/field-checks';
import { parseAllowedTarget } from '@catalog/core/network/allowed-target';
import type { GitCredential } from '@catalog/core/ports/git-credential';
import { DEFAULT_LANGUAGE, SEARCH_LANGUAGES } from '@catalog/core/search/language';
import ipaddr from 'ipaddr.js';
import { ACCESS_SETTINGS } from './access-settings.ts';
import { AUDIT_SETTINGS } from './audit-settings.ts';
import { addressLike } from './address-like.ts';
import { readBindAddress } from './bind-address.ts';
import { dsn, maskDsn } from './dsn.ts';
import { contentRule } from './content-rule.ts';
import { declaredLayer, type DeclaredLayer } from './declared-layer.ts';
import { EMBEDDING_SETTINGS } from './embedding-settings.ts';
import { freezeWindow } from './freeze-window.ts';
import { gitCredential, maskCredential } from './git-credential.ts';
import { OBSERVE_SETTINGS } from './observe-settings.ts';
import {
  checked,
  choiceSetting,
  durationSetting,
  durationsSetting,
  MAX_WAIT_SECONDS,
  listSetting,
  numberSetting,
  pathSetting,
  switchSetting,
  textSetting,
  type Setting,
} from './setting.ts';
import { TELEMETRY_SETTINGS } from './telemetry-settings.ts';
import { VECTOR_SETTINGS } from './vector-settings.ts';

const MEBIBYTE = 1_048_576;

const BIND_ADDRESS = checked(
  'an address and a port, such as `127.0.0.1:8080` or `[::1]:8080`',
  'Write `host:port`.',
  (value) => (readBindAddress(value) === undefined ? undefined : value),
);

/**
 * All settings of the server: for loading, `catalog config show --server` and `docs/reference/settings.md`. An unknown
 * key stops startup (SPEC-36).
 */
export const SETTINGS = {
  bind: textSetting({
    summary: 'Address and port to listen on; `:8080` means every interface.',
    env: ['CATALOG_BIND'],
    flag: 'bind',
    default: '127.0.0.1:8080',
    check: BIND_ADDRESS,
  }),
  management_bind: textSetting({
    summary:
      'Address and port of a second listener for `/metrics`, `/healthz` and `/readyz`. If set, the address in `bind` does not serve `/metrics`.',
    env: ['CATALOG_MANAGEMENT_BIND'],
    default: undefined,
    check: BIND_ADDRESS,
  }),
  public_url: textSetting({
    summary:
      'Public URL of this registry, used for webhook and object URLs. Defaults to the bind address.',
    env: ['CATALOG_PUBLIC_URL'],
    default: undefined,
    check: addressLike('https://catalog.example.com'),
  }),
  public_mode: switchSetting({
    summary:
      'Serve all callers anonymously. Artifacts of medium and high sensitivity are rejected.',
    env: ['CATALOG_PUBLIC_MODE'],
    flag: 'public-mode',
    default: false,
  }),
  allow_public_bind: switchSetting({
    summary: 'Listen beyond this machine even though callers are not authenticated.',
    env: ['CATALOG_ALLOW_PUBLIC_BIND'],
    flag: 'allow-public-bind',
    default: false,
  }),
  open_writes: {
    summary:
      'Whether callers can change layers and administrative data on a registry that does not authenticate them: `allow` or `deny`. Required without an identity provider if other machines can reach the registry: through `bind`, `public_url`, or `trusted_proxies`. Otherwise defaults to `allow`.',
    env: ['CATALOG_OPEN_WRITES'],
    check: oneOf(['allow', 'deny'] as const),
    fromText: (value) => value,
    default: undefined,
  } satisfies Setting<'allow' | 'deny', undefined>,
  allowed_hosts: listSetting({
    summary:
      'Host names that requests may use on a registry that does not authenticate callers, in addition to IP addresses, loopback names, and the public URL. Protects the registry from web pages (DNS rebinding).',
    env: ['CATALOG_ALLOWED_HOSTS'],
    default: [],
  }),
  min_server_version: textSetting({
    summary: 'Minimum version of catalog for this file.',
    default: undefined,
  }),
  'store.type': choiceSetting(['sqlite', 'postgres'], {
    summary:
      'Metadata store: `sqlite`, a file for one process, or `postgres`, for several processes.',
    env: ['CATALOG_REGISTRY_STORE'],
    default: 'sqlite',
  }),
  'store.sqlite_path': pathSetting({
    summary: 'Path of the SQLite file.',
    env: ['CATALOG_SQLITE_PATH'],
    default: '~/.catalog/standalone/catalog.db',
  }),
  'store.dsn': dsnSetting(
    "URL of the PostgreSQL database, with the registry's own role: a member of `catalog_program` that is subject to row-level security.",
    ['CATALOG_POSTGRES_DSN'],
  ),
  'store.migration_dsn': dsnSetting(
    'URL of the same database, with the owner of its schema. If set, the registry migrates the schema at startup; otherwise run `catalog admin migrate`.',
    ['CATALOG_POSTGRES_MIGRATION_DSN'],
  ),
  'store.replica_dsns': listSetting({
    summary:
      'URLs of streaming standbys of that database, with the same role. They serve reads while the primary is unavailable, and any of them can be promoted.',
    env: ['CATALOG_POSTGRES_REPLICA_DSNS'],
    default: [],
    of: dsn,
    mask: (dsns) => dsns.map(maskDsn),
  }),
  'store.pool_size': numberSetting(
    { min: 2, max: 1000 },
    {
      summary:
        'Maximum number of connections per process and PostgreSQL server, in addition to three for notifications, locks, and probes.',
      env: ['CATALOG_POSTGRES_POOL_SIZE'],
      default: 10,
    },
  ),
  'store.statement_timeout_seconds': numberSetting(
    { min: 1, max: 3600 },
    {
      summary: 'Statement timeout in PostgreSQL, in seconds.',
      env: ['CATALOG_POSTGRES_STATEMENT_TIMEOUT_SECONDS'],
      default: 30,
    },
  ),
  'search.language': choiceSetting(SEARCH_LANGUAGES, {
    summary:
      'Language for stemming in keyword search; `none` disables stemming. After a change, the index is rebuilt in the background.',
    env: ['CATALOG_SEARCH_LANGUAGE'],
    default: DEFAULT_LANGUAGE,
  }),
  'store.retention_interval_seconds': numberSetting(
    { min: 0, max: MAX_WAIT_SECONDS },
    {
      summary: 'Interval between retention sweeps, in seconds; `0` disables them.',
      env: ['CATALOG_STORE_RETENTION_INTERVAL_SECONDS'],
      default: 86_400,
    },
  ),
  'read_only.probe_interval_seconds': numberSetting(
    { min: 1, max: 3600 },
    {
      summary: 'Interval between probes of the PostgreSQL servers, in seconds.',
      env: ['CATALOG_READONLY_PROBE_INTERVAL'],
      default: 5,
    },
  ),
  'read_only.probe_failures': numberSetting(
    { min: 0, max: 1000 },
    {
      summary:
        'Number of consecutive failed probes of the primary before the registry becomes read-only; `0` disables this.',
      env: ['CATALOG_READONLY_PROBE_FAILURES'],
      default: 3,
    },
  ),
  'object_store.type': choiceSetting(['filesystem', 's3'], {
    summary: 'Store for large resources: `filesystem`, a directory, or `s3`, a bucket.',
    env: ['CATALOG_OBJECT_STORE'],
    default: 'filesystem',
  }),
  'object_store.filesystem_root': pathSetting({
    summary: 'Directory for large resources.',
    env: ['CATALOG_FILESYSTEM_ROOT'],
    default: '~/.catalog/standalone/objects',
  }),
  'object_store.bucket': textSetting({
    summary: 'Bucket for large resources. It must exist.',
    env: ['CATALOG_S3_BUCKET'],
    default: undefined,
    check: checked(
      'a bucket name: 3 to 63 lowercase letters, digits, dots, and hyphens',
      'Write only the name of the bucket, without `s3://`.',
      (value) => (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value) ? value : undefined),
    ),
  }),
  'object_store.endpoint': textSetting({
    summary: 'URL of an S3-compatible store other than AWS, as the registry reaches it.',
    env: ['CATALOG_S3_ENDPOINT'],
    default: undefined,
    check: addressLike('https://s3.example.com'),
  }),
  'object_store.public_endpoint': textSetting({
    summary:
      'URL of that store for consumers; presigned URLs start with it. Defaults to the endpoint.',
    env: ['CATALOG_S3_PUBLIC_ENDPOINT'],
    default: undefined,
    check: addressLike('https://s3.example.com'),
  }),
  'object_store.region': textSetting({
    summary: 'Region of the bucket.',
    env: ['CATALOG_S3_REGION'],
    default: 'us-east-1',
    check: checked('a region such as `eu-central-1`', 'Write the name of the region.', (value) =>
      /^[a-z0-9-]{1,64}$/.test(value) ? value : undefined,
    ),
  }),
  'object_store.force_path_style': switchSetting({
    summary:
      'Use `endpoint/bucket` URLs instead of `bucket.endpoint`; required by most stores other than AWS.',
    env: ['CATALOG_S3_FORCE_PATH_STYLE'],
    default: false,
  }),
  'object_store.access_key_id': textSetting({
    summary:
      'Access key of the bucket. If unset, the AWS default credential chain applies: environment variables, files, and the role of the machine.',
    env: ['CATALOG_S3_ACCESS_KEY_ID'],
    default: undefined,
  }),
  'object_store.secret_access_key': textSetting({
    summary: 'Secret of the access key.',
    env: ['CATALOG_S3_SECRET_ACCESS_KEY'],
    default: undefined,
    mask: () => '***',
  }),
  'object_store.prefix': textSetting({
    summary: 'Prefix of all keys in the bucket, so that it can be shared; none if empty.',
    env: ['CATALOG_S3_PREFIX'],
    default: undefined,
    check: checked(
      'letters, digits, `.`, `_`, and `-`, in parts separated by `/`',
      'Remove the slash at the start or end.',
      (value) => (/^(?:[\w.-]{1,64}(?:\/[\w.-]{1,64}){0,7})?$/.test(value) ? value : undefined),
    ),
  }),
  'object_store.presign_ttl_seconds': numberSetting(
    { min: 10, max: 3600 },
    {
      summary:
        'Validity of presigned URLs, in seconds. Anyone who has such a URL can download the object without a token.',
      env: ['CATALOG_PRESIGN_TTL_SECONDS'],
      default: 300,
    },
  ),
  layer_path: pathSetting({
    summary:
      'Directory of artifacts to serve as a layer, or as one layer per subdirectory if its `.registry-config` enables that.',
    env: ['CATALOG_LAYER_PATH'],
    flag: 'layer-path',
    default: undefined,
  }),
  layers: {
    summary:
      'Layers to register at startup, lowest precedence first: `{id, tenant, source: {git: {repo, ref, root, force_push_policy, git_provider} | local: {path}}, visibility: {public, organization, groups, users}}`. `tenant` names a tenant of a multi-tenant registry (default: `default`). On such a registry, host paths are allowed only in this file.',
    check: listOf(declaredLayer),
    default: [],
    resolve: (layers, toAbsolute) => layers.map((layer) => withAbsolutePath(layer, toAbsolute)),
    refuses_secrets: true,
  } satisfies Setting<DeclaredLayer[], DeclaredLayer[]>,
  freeze_windows: {
    summary:
      'Freeze windows of every tenant, which the API cannot change: `{name, start, end, blocks}`, or `{name, starts, ends, time_zone, blocks}` with two cron expressions. `blocks` lists `ingest` and `layer-config` (default: `[ingest]`).',
    check: listOf(freezeWindow, MAX_FREEZE_WINDOWS),
    default: [],
  } satisfies Setting<FreezeWindow[], FreezeWindow[]>,
  layer_recovery_days: numberSetting(
    { min: 0, max: 36_500 },
    {
      summary: 'Days during which an unregistered layer can be restored; `0` keeps it forever.',
      env: ['CATALOG_LAYER_RECOVERY_DAYS'],
      default: 30,
    },
  ),
  sign: textSetting({
    summary:
      'Sign every version that the registry serves: `registry-key`, with the keys in `sign_key_path`. If unset, the registry does not sign.',
    env: ['CATALOG_SIGN'],
    flag: 'sign',
    default: undefined,
  }),
  sign_key_path: {
    ...listSetting({
      summary:
        'Paths of private keys (Ed25519, PEM). The first one signs; keep the previous one as the second during a rotation. With SQLite, the default file is created if the registry has no key yet. On PostgreSQL, set it for all processes.',
      env: ['CATALOG_SIGN_KEY_PATH'],
      default: ['~/.catalog/standalone/registry-signing.key'],
    }),
    resolve: (paths, toAbsolute) => paths.map(toAbsolute),
  } satisfies Setting<string[], string[]>,
  layer_poll_interval: durationSetting({
    summary: 'Interval for polling git layers for missed webhook deliveries; `0` disables polling.',
    env: ['CATALOG_LAYER_POLL_INTERVAL'],
    default: 0,
  }),
  dev: switchSetting({
    summary:
      'Serve an edit under an unchanged version as `<version>+dev.<n>`; for authors, on this machine only.',
    flag: 'dev',
    default: false,
  }),
  'discovery.max_depth': discoveryNumber('max_depth', 1, 'Levels of subdomains in a domain map.'),
  'discovery.notable_count': discoveryNumber(
    'notable_count',
    0,
    'Number of notable artifacts in a domain map.',
  ),
  'discovery.fold_below_artifacts': discoveryNumber(
    'fold_below_artifacts',
    0,
    'Subdomains with fewer artifacts are folded into their parent.',
  ),
  'discovery.fold_passthrough_chains': switchSetting({
    summary: 'Show only the last domain of a chain in which each contains nothing but the next.',
    default: DEFAULT_DISCOVERY.fold_passthrough_chains,
  }),
  'discovery.target_response_tokens': discoveryNumber(
    'target_response_tokens',
    100,
    'Approximate token budget of a domain map.',
  ),
  'discovery.allow_per_domain_overrides': switchSetting({
    summary: 'Allow a DOMAIN.md to override these settings for its domain.',
    default: DEFAULT_DISCOVERY.allow_per_domain_overrides,
  }),
  'extends.parents': choiceSetting(['any', 'visible'], {
    summary:
      'Allowed parents for `extends`: any artifact of an admin-defined layer, or only artifacts of layers that everyone who can see the child can also see.',
    env: ['CATALOG_EXTENDS_PARENTS'],
    default: 'any',
  }),
  'tenant.expose_scope_preview': switchSetting({
    summary: 'Serve `/v1/scope/preview`.',
    env: ['CATALOG_EXPOSE_SCOPE_PREVIEW'],
    default: true,
  }),
  executable_content: {
    summary:
      'Executable content policy that `catalog sync` and the MCP server apply in addition to their own: `{policy: ask | deny, layer, kinds}`. It can only be stricter than theirs; the most specific rule wins.',
    check: listOf(contentRule),
    default: [],
  } satisfies Setting<AnnouncedContentRule[], AnnouncedContentRule[]>,
  'tls.cert': pathSetting({
    summary: 'Path of the PEM certificate chain for https.',
    env: ['CATALOG_TLS_CERT'],
    default: undefined,
  }),
  'tls.key': pathSetting({
    summary: 'Path of the PEM private key of the certificate.',
    env: ['CATALOG_TLS_KEY'],
    default: undefined,
  }),
  ca_file: pathSetting({
    summary:
      "Path of a PEM file with certificate authorities to trust for outgoing requests, in addition to the system's.",
    env: ['CATALOG_CA_FILE'],
    default: undefined,
  }),
  trusted_proxies: listSetting({
    summary: 'Addresses or networks of proxies whose `X-Forwarded-*` headers are trusted.',
    env: ['CATALOG_TRUSTED_PROXIES'],
    default: [],
    of: checked(
      'an IP address, or a network such as `10.0.0.0/8`',
      'Write an IP address, optionally with a prefix length.',
      (value) => (ipaddr.isValid(value) || ipaddr.isValidCIDR(value) ? value : undefined),
    ),
  }),
  'proxy.http': proxySetting('Proxy for outgoing http requests.', [
    'http_proxy',
    'HTTP_PROXY',
    'all_proxy',
    'ALL_PROXY',
  ]),
  'proxy.https': proxySetting('Proxy for outgoing https requests.', [
    'https_proxy',
    'HTTPS_PROXY',
    'all_proxy',
    'ALL_PROXY',
  ]),
  'proxy.except': listSetting({
    summary: 'Hosts to reach without the proxy.',
    env: ['no_proxy', 'NO_PROXY'],
    default: [],
  }),
  'egress.allowed_hosts': listSetting({
    summary: 'Hosts that may be reached over plain http and at private addresses.',
    env: ['CATALOG_EGRESS_ALLOWED_HOSTS'],
    default: [],
  }),
  'webhooks.allowed_targets': listSetting({
    summary:
      'Hosts and networks with private addresses that outbound webhooks can reach over https, such as `hooks.corp`, `*.lab.corp`, `hooks.corp:8443`, or `10.0.0.0/8`.',
    env: ['CATALOG_WEBHOOK_ALLOWED_TARGETS'],
    default: [],
    of: checked(
      'a host name such as `hooks.corp` or `*.lab.corp`, an IP address, or a network such as `10.0.0.0/8`',
      'Write names in ASCII, optionally with a port, IPv4 addresses in four decimal parts, and networks without host bits.',
      (value) => (parseAllowedTarget(value) === undefined ? undefined : value),
    ),
  }),
  'events.max_streams_per_user': numberSetting(
    { min: 0, max: 100_000 },
    {
      summary:
        'Maximum number of open event streams of one user on a process; `0` disables the limit.',
      env: ['CATALOG_EVENTS_MAX_STREAMS_PER_USER'],
      default: 16,
    },
  ),
  'events.max_streams_per_address': numberSetting(
    { min: 0, max: 100_000 },
    {
      summary:
        'Maximum number of open event streams on a process of callers without an identity at one client address, or IPv6 /64; `0` disables the limit.',
      env: ['CATALOG_EVENTS_MAX_STREAMS_PER_ADDRESS'],
      default: 256,
    },
  ),
  'webhooks.store_path': pathSetting({
    summary:
      'JSON file that holds the webhook receivers instead of the metadata store. Only with SQLite.',
    env: ['CATALOG_WEBHOOK_STORE_PATH'],
    default: undefined,
  }),
  'webhooks.retry_schedule': durationsSetting({
    summary:
      'Delays before the retries of a webhook delivery. After the last one, the delivery has failed.',
    env: ['CATALOG_WEBHOOK_RETRY_SCHEDULE'],
    default: [5, 30, 120, 600, 1800, 7200, 21_600, 43_200, 86_400],
  }),
  'webhooks.concurrency': numberSetting(
    { min: 1, max: 1000 },
    {
      summary: 'Maximum number of webhook requests that a process sends at a time.',
      env: ['CATALOG_WEBHOOK_CONCURRENCY'],
      default: 32,
    },
  ),
  'webhooks.receiver_concurrency': numberSetting(
    { min: 1, max: 1000 },
    {
      summary: 'Maximum number of requests that a process sends to one webhook receiver at a time.',
      env: ['CATALOG_WEBHOOK_RECEIVER_CONCURRENCY'],
      default: 8,
    },
  ),
  'git.credentials': {
    summary:
      'Credentials for git hosts, for admin-defined layers: `{tenant, scheme, host, port, path_prefix, username, password, ssh_key}`. `scheme` is `https` for a password and `ssh` for a key, unless the entry sets it; `port` is the default port of the scheme. Of several matching entries, the one with the longest prefix wins. On a multi-tenant registry, every entry names its `tenant`.',
    check: listOf(gitCredential),
    default: [],
    resolve: (credentials, toAbsolute) =>
      credentials.map((credential) =>
        credential.ssh_key === undefined
          ? credential
          : { ...credential, ssh_key: toAbsolute(credential.ssh_key) },
      ),
    mask: (credentials) => credentials.map(maskCredential),
  } satisfies Setting<GitCredential[], GitCredential[]>,
  'git.known_hosts': pathSetting({
    summary:
      'File of trusted ssh host keys; no other host is accepted. If unset, the known hosts of the account and of the machine apply.',
    env: ['CATALOG_GIT_KNOWN_HOSTS'],
    default: undefined,
  }),
  'git.folder': pathSetting({
    summary: 'Directory for fetched repositories; its content can be fetched again.',
    env: ['CATALOG_GIT_FOLDER'],
    default: '~/.catalog/standalone/git',
  }),
  'git.search_path': textSetting({
    summary: 'Directories in which to find `git` and `ssh`.',
    env: ['PATH'],
    default: '/usr/local/bin:/usr/bin:/bin',
    check: text(MAX_PROSE),
  }),
  'ingest.max_layer_bytes': numberSetting(
    { min: MEBIBYTE, max: 2 ** 50 },
    {
      summary: 'Maximum size of a layer, in bytes.',
      env: ['CATALOG_INGEST_MAX_LAYER_BYTES'],
      default: 2048 * MEBIBYTE,
    },
  ),
  'ingest.max_layer_files': numberSetting(
    { min: 1, max: 100_000_000 },
    {
      summary: 'Maximum number of files in a layer.',
      env: ['CATALOG_INGEST_MAX_LAYER_FILES'],
      default: 1_000_000,
    },
  ),
  'ingest.retry_for': durationSetting({
    summary:
      'Time during which an ingest that failed for a passing reason, such as a git host that does not respond, is retried; `0` disables retries.',
    env: ['CATALOG_INGEST_RETRY_FOR'],
    default: 86_400,
  }),
  'ingest.timeout': durationSetting({
    summary: "Timeout for reading a layer's source.",
    env: ['CATALOG_INGEST_TIMEOUT'],
    default: 600,
  }),
  'ingest.personal_timeout': durationSetting({
    summary: 'Timeout for reading the source of a personal layer.',
    env: ['CATALOG_INGEST_PERSONAL_TIMEOUT'],
    default: 120,
  }),
  'lint.per_file_soft_cap_bytes': numberSetting(
    { min: 1, max: 2 ** 50 },
    {
      summary: 'Size above which a bundled file causes a warning, in bytes.',
      env: ['CATALOG_LINT_PER_FILE_SOFT_CAP_BYTES'],
      default: DEFAULT_LIMITS.file_bytes,
    },
  ),
  'lint.per_package_soft_cap_bytes': numberSetting(
    { min: 1, max: 2 ** 50 },
    {
      summary: 'Maximum size of an artifact, in bytes.',
      env: ['CATALOG_LINT_PER_PACKAGE_SOFT_CAP_BYTES'],
      default: DEFAULT_LIMITS.package_bytes,
    },
  ),
  enforce_sandbox_profile: switchSetting({
    summary: 'Reject artifacts whose `sandbox_profile` is not in `host_sandboxes`.',
    env: ['CATALOG_ENFORCE_SANDBOX_PROFILE'],
    default: false,
  }),
  host_sandboxes: {
    summary: 'Sandbox profiles that hosts of this registry can enforce.',
    env: ['CATALOG_HOST_SANDBOXES'],
    check: listOf(oneOf(SANDBOX_PROFILES)),
    default: ['unrestricted'],
    fromText: (value) => value.split(/[\s,]+/).filter((word) => word !== ''),
  } satisfies Setting<(typeof SANDBOX_PROFILES)[number][]>,
  plugins: {
    ...listSetting({
      summary: 'Paths of modules that add artifact types, checks, and error codes.',
      default: [],
    }),
    resolve: (modules, toAbsolute) => modules.map(toAbsolute),
  } satisfies Setting<string[], string[]>,
  ...OBSERVE_SETTINGS,
  ...AUDIT_SETTINGS,
  ...TELEMETRY_SETTINGS,
  startup_timeout: durationSetting({
    summary: 'Time to wait for the database at startup; `0` fails at once if it is unavailable.',
    env: ['CATALOG_STARTUP_TIMEOUT'],
    default: 60,
  }),
  shutdown_delay: durationSetting({
    summary:
      'Time between SIGTERM and the end of new connections. `/readyz` returns 503 during it, so that load balancers with health checks stop sending requests first.',
    env: ['CATALOG_SHUTDOWN_DELAY'],
    default: 0,
  }),
  shutdown_timeout: durationSetting({
    summary: 'Grace period for open requests and jobs during shutdown.',
    env: ['CATALOG_SHUTDOWN_TIMEOUT'],
    default: 15,
  }),
  ...ACCESS_SETTINGS,
  ...EMBEDDING_SETTINGS,
  ...VECTOR_SETTINGS,
} as const satisfies Readonly<Record<string, Setting>>;

/** Name of a setting of the server. */
export type SettingKey = keyof typeof SETTINGS;

type ValueOf<Row> = Row extends {
  check: { read(...args: never): infer Value };
  default: infer Default;
}
  ? Exclude<Value, undefined> | Default
  : never;

/** Values of all server settings after validation, with defaults applied. */
export type Settings = { readonly [Key in SettingKey]: ValueOf<(typeof SETTINGS)[Key]> };

function discoveryNumber(
  key: 'max_depth' | 'notable_count' | 'fold_below_artifacts' | 'target_response_tokens',
  min: number,
  summary: string,
): Setting<number, number> {
  return numberSetting({ min, max: 1_000_000 }, { summary, default: DEFAULT_DISCOVERY[key] });
}

function dsnSetting(summary: string, env: readonly string[]): Setting<string, undefined> {
  return textSetting({ summary, env, default: undefined, check: dsn, mask: maskDsn });
}

function proxySetting(summary: string, env: readonly string[]): Setting<string, undefined> {
  return textSetting({
    summary,
    env,
    default: undefined,
    check: checked('an http or https URL', 'Write `http://host:port`.', (value) =>
      /^https?:$/.test(URL.parse(value)?.protocol ?? '') ? value : undefined,
    ),
    mask: maskUserinfo,
  });
}

function maskUserinfo(address: string): string {
  const url = new URL(address);
  if (url.username === '' && url.password === '') return address;
  url.username = '***';
  url.password = '';
  return url.href;
}

function withAbsolutePath(
  layer: DeclaredLayer,
  toAbsolute: (path: string) => string,
): DeclaredLayer {
  const { local } = layer.source;
  if (local === undefined) return layer;
  return { ...layer, source: { local: { path: toAbsolute(local.path) } } };
}
