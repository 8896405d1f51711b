import type { AnnouncedContentRule } from '@catalog/contract/records/discovery';
import { SANDBOX_PROFILES } from '@catalog/core/artifact/types';
import { DEFAULT_DISCOVERY } from '@catalog/core/domain/discovery';
import { DEFAULT_LIMITS } from '@catalog/core/lint/context';
import { MAX_PROSE, listOf, oneOf, text } from '@catalog/core/manifest/field-checks';
import type { GitCredential } from '@catalog/core/ports/git-credential';
import { DEFAULT_LANGUAGE, SEARCH_LANGUAGES } from '@catalog/core/search/language';
import ipaddr from 'ipaddr.js';
import { ACCESS_SETTINGS } from './access-settings.ts';
import { addressLike } from './address-like.ts';
import { readBindAddress } from './bind-address.ts';
import { dsn, maskDsn } from './dsn.ts';
import { contentRule } from './content-rule.ts';
import { declaredLayer, type DeclaredLayer } from './declared-layer.ts';
import { EMBEDDING_SETTINGS } from './embedding-settings.ts';
import { gitCredential, maskCredential } from './git-credential.ts';
import {
  checked,
  choiceSetting,
  durationSetting,
  LONGEST_WAIT_SECONDS,
  listSetting,
  numberSetting,
  pathSetting,
  switchSetting,
  textSetting,
  type Setting,
} from './setting.ts';
import { VECTOR_SETTINGS } from './vector-settings.ts';

const MEBIBYTE = 1_048_576;

/**
 * Every setting of the registry by its key under `registry:` in `registry.yaml`. Loading,
 * `catalog config show --server` and `docs/reference/settings.md` come from this table; what is not
 * in it stops the start (decision 36).
 */
export const SETTINGS = {
  bind: textSetting({
    summary: 'The address and port to listen on; `:8080` is every interface.',
    env: ['CATALOG_BIND'],
    flag: 'bind',
    default: '127.0.0.1:8080',
    check: checked(
      'an address and a port, such as `127.0.0.1:8080` or `[::1]:8080`',
      'Write `host:port`.',
      (value) => (readBindAddress(value) === undefined ? undefined : value),
    ),
  }),
  public_url: textSetting({
    summary:
      'Where others reach this registry: webhook and object addresses are built from it. The bind address when unset.',
    env: ['CATALOG_PUBLIC_URL'],
    default: undefined,
    check: addressLike('https://catalog.example.com'),
  }),
  public_mode: switchSetting({
    summary: 'Serve everybody anonymously; artifacts of medium and high sensitivity are refused.',
    env: ['CATALOG_PUBLIC_MODE'],
    flag: 'public-mode',
    default: false,
  }),
  allow_public_bind: switchSetting({
    summary: 'Listen beyond this machine although no caller is authenticated.',
    env: ['CATALOG_ALLOW_PUBLIC_BIND'],
    flag: 'allow-public-bind',
    default: false,
  }),
  open_writes: {
    summary:
      'Whether callers may change layers and administration of a registry that authenticates no caller: `allow` or `deny`. Required to listen beyond this machine without an identity provider; on loopback, unset means `allow`.',
    env: ['CATALOG_OPEN_WRITES'],
    check: oneOf(['allow', 'deny'] as const),
    fromText: (value) => value,
    default: undefined,
  } satisfies Setting<'allow' | 'deny', undefined>,
  allowed_hosts: listSetting({
    summary:
      'Names a request may be addressed to, beside loopback names and the public address (guards a loopback registry against web pages).',
    env: ['CATALOG_ALLOWED_HOSTS'],
    default: [],
  }),
  min_server_version: textSetting({
    summary: 'The lowest version of catalog this file works with.',
    default: undefined,
  }),
  'store.type': choiceSetting(['sqlite', 'postgres'], {
    summary:
      'Where metadata is kept: `sqlite`, a file for one process, or `postgres`, for several.',
    env: ['CATALOG_REGISTRY_STORE'],
    default: 'sqlite',
  }),
  'store.sqlite_path': pathSetting({
    summary: 'The SQLite file.',
    env: ['CATALOG_SQLITE_PATH'],
    default: '~/.catalog/standalone/catalog.db',
  }),
  'store.dsn': dsnSetting(
    "The PostgreSQL database, as the registry's own role: a member of `catalog_program` that row-level security holds.",
    ['CATALOG_POSTGRES_DSN'],
  ),
  'store.migration_dsn': dsnSetting(
    'The same database as the owner of its schema. With it the registry brings the schema forward when it starts; without it `catalog admin migrate` does.',
    ['CATALOG_POSTGRES_MIGRATION_DSN'],
  ),
  'store.replica_dsns': listSetting({
    summary:
      'Streaming standbys of that database, as the same role. They answer reads while the primary is away, and any of them may be promoted.',
    env: ['CATALOG_POSTGRES_REPLICA_DSNS'],
    default: [],
    of: dsn,
    mask: (dsns) => dsns.map(maskDsn),
  }),
  'store.pool_size': numberSetting(
    { min: 2, max: 1000 },
    {
      summary:
        'Connections of one process to one PostgreSQL server at most, beside three that listen, lock and probe.',
      env: ['CATALOG_POSTGRES_POOL_SIZE'],
      default: 10,
    },
  ),
  'store.statement_timeout_seconds': numberSetting(
    { min: 1, max: 3600 },
    {
      summary: 'Seconds a statement may take in PostgreSQL before it is ended.',
      env: ['CATALOG_POSTGRES_STATEMENT_TIMEOUT_SECONDS'],
      default: 30,
    },
  ),
  'search.language': choiceSetting(SEARCH_LANGUAGES, {
    summary:
      'The language whose word forms are searched as one; in `none` every word is its own. A change makes the index anew in the background.',
    env: ['CATALOG_SEARCH_LANGUAGE'],
    default: DEFAULT_LANGUAGE,
  }),
  'store.retention_interval_seconds': numberSetting(
    { min: 0, max: LONGEST_WAIT_SECONDS },
    {
      summary: 'Seconds between two removals of what has expired; `0` never does.',
      env: ['CATALOG_STORE_RETENTION_INTERVAL_SECONDS'],
      default: 86_400,
    },
  ),
  'read_only.probe_interval_seconds': numberSetting(
    { min: 1, max: 3600 },
    {
      summary: 'Seconds between two probes of the PostgreSQL servers.',
      env: ['CATALOG_READONLY_PROBE_INTERVAL'],
      default: 5,
    },
  ),
  'read_only.probe_failures': numberSetting(
    { min: 0, max: 1000 },
    {
      summary:
        'Probes in a row that find no primary before the registry is read-only; `0` never is.',
      env: ['CATALOG_READONLY_PROBE_FAILURES'],
      default: 3,
    },
  ),
  'object_store.type': choiceSetting(['filesystem', 's3'], {
    summary: 'Where large resources are kept: `filesystem`, a folder, or `s3`, a bucket.',
    env: ['CATALOG_OBJECT_STORE'],
    default: 'filesystem',
  }),
  'object_store.filesystem_root': pathSetting({
    summary: 'The folder of large resources.',
    env: ['CATALOG_FILESYSTEM_ROOT'],
    default: '~/.catalog/standalone/objects',
  }),
  'object_store.bucket': textSetting({
    summary: 'The bucket of large resources. It must exist.',
    env: ['CATALOG_S3_BUCKET'],
    default: undefined,
    check: checked(
      'the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens',
      'Write the name of the bucket alone, without `s3://`.',
      (value) => (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value) ? value : undefined),
    ),
  }),
  'object_store.endpoint': textSetting({
    summary: 'The address of an S3 store other than AWS, as the registry reaches it.',
    env: ['CATALOG_S3_ENDPOINT'],
    default: undefined,
    check: addressLike('https://s3.example.com'),
  }),
  'object_store.public_endpoint': textSetting({
    summary:
      'Where consumers reach that store; presigned addresses begin with it. The endpoint itself when unset.',
    env: ['CATALOG_S3_PUBLIC_ENDPOINT'],
    default: undefined,
    check: addressLike('https://s3.example.com'),
  }),
  'object_store.region': textSetting({
    summary: 'The region of the bucket.',
    env: ['CATALOG_S3_REGION'],
    default: 'us-east-1',
    check: checked('a region such as `eu-central-1`', 'Write the name of the region.', (value) =>
      /^[a-z0-9-]{1,64}$/.test(value) ? value : undefined,
    ),
  }),
  'object_store.force_path_style': switchSetting({
    summary:
      'Address the bucket as `endpoint/bucket`, not `bucket.endpoint`; most stores other than AWS need it.',
    env: ['CATALOG_S3_FORCE_PATH_STYLE'],
    default: false,
  }),
  'object_store.access_key_id': textSetting({
    summary:
      'The access key of the bucket. Without it the usual chain of AWS answers: variables, files, the role of the machine.',
    env: ['CATALOG_S3_ACCESS_KEY_ID'],
    default: undefined,
  }),
  'object_store.secret_access_key': textSetting({
    summary: 'The secret of the access key.',
    env: ['CATALOG_S3_SECRET_ACCESS_KEY'],
    default: undefined,
    mask: () => '***',
  }),
  'object_store.prefix': textSetting({
    summary: 'What the keys in the bucket begin with, so that it can be shared.',
    env: ['CATALOG_S3_PREFIX'],
    default: undefined,
    check: checked(
      'letters, digits, `.`, `_` and `-`, parts separated by `/`',
      'Write it without a slash at either end.',
      (value) => (/^[\w.-]{1,64}(?:\/[\w.-]{1,64}){0,7}$/.test(value) ? value : undefined),
    ),
  }),
  'object_store.presign_ttl_seconds': numberSetting(
    { min: 10, max: 3600 },
    {
      summary:
        'Seconds an address of the bucket answers for. Whoever has it needs no token meanwhile.',
      env: ['CATALOG_PRESIGN_TTL_SECONDS'],
      default: 300,
    },
  ),
  layer_path: pathSetting({
    summary:
      'A folder of artifacts to serve: one layer, or one for each subfolder where its `.registry-config` says so.',
    env: ['CATALOG_LAYER_PATH'],
    flag: 'layer-path',
    default: undefined,
  }),
  layers: {
    summary:
      'Layers to register at the start, lowest precedence first: `{id, tenant, source: {git: {repo, ref, root, force_push_policy, git_provider} | local: {path}}, visibility: {public, organization, groups, users}}`. `tenant` names a tenant of a multi-tenant registry (`default` when absent); only this file may name host paths there.',
    check: listOf(declaredLayer),
    default: [],
    resolve: (layers, toAbsolute) => layers.map((layer) => withAbsolutePath(layer, toAbsolute)),
    refuses_secrets: true,
  } satisfies Setting<DeclaredLayer[], DeclaredLayer[]>,
  layer_recovery_days: numberSetting(
    { min: 0, max: 36_500 },
    {
      summary: 'Days in which an unregistered layer can be restored; `0` keeps it for ever.',
      env: ['CATALOG_LAYER_RECOVERY_DAYS'],
      default: 30,
    },
  ),
  layer_poll_interval: durationSetting({
    summary: 'How often git layers are looked at for missed deliveries; `0` never does.',
    env: ['CATALOG_LAYER_POLL_INTERVAL'],
    default: 0,
    default_text: '0',
  }),
  dev: switchSetting({
    summary:
      'Serve an edit under an unchanged version as `<version>+dev.<n>`; for authors, on this machine only.',
    flag: 'dev',
    default: false,
  }),
  'discovery.max_depth': discoveryNumber(
    'max_depth',
    1,
    'Levels of subdomains a domain map shows.',
  ),
  'discovery.notable_count': discoveryNumber(
    'notable_count',
    0,
    'Artifacts a domain map names as notable.',
  ),
  'discovery.fold_below_artifacts': discoveryNumber(
    'fold_below_artifacts',
    0,
    'Subdomains with fewer artifacts are folded into their parent.',
  ),
  'discovery.fold_passthrough_chains': switchSetting({
    summary: 'Show only the last of domains that hold nothing but one another.',
    default: DEFAULT_DISCOVERY.fold_passthrough_chains,
  }),
  'discovery.target_response_tokens': discoveryNumber(
    'target_response_tokens',
    100,
    'About how many tokens a domain map may take.',
  ),
  'discovery.allow_per_domain_overrides': switchSetting({
    summary: 'Let a DOMAIN.md change these for its domain.',
    default: DEFAULT_DISCOVERY.allow_per_domain_overrides,
  }),
  'extends.parents': choiceSetting(['any', 'visible'], {
    summary:
      'Which parents `extends` accepts: any artifact of an admin-defined layer, or only those of layers that everyone who sees the child sees too.',
    env: ['CATALOG_EXTENDS_PARENTS'],
    default: 'any',
  }),
  'tenant.expose_scope_preview': switchSetting({
    summary: 'Answer `/v1/scope/preview`.',
    env: ['CATALOG_EXPOSE_SCOPE_PREVIEW'],
    default: true,
  }),
  executable_content: {
    summary:
      'Policy for executable content that `catalog sync` and the MCP server apply in addition to their own: `{policy: ask | deny, layer, kinds}`. It can only tighten theirs; the most specific rule wins.',
    check: listOf(contentRule),
    default: [],
  } satisfies Setting<AnnouncedContentRule[], AnnouncedContentRule[]>,
  'tls.cert': pathSetting({
    summary: 'The certificate chain to serve https with, in PEM.',
    env: ['CATALOG_TLS_CERT'],
    default: undefined,
  }),
  'tls.key': pathSetting({
    summary: 'The private key of the certificate, in PEM.',
    env: ['CATALOG_TLS_KEY'],
    default: undefined,
  }),
  ca_file: pathSetting({
    summary:
      'Certificate authorities to trust in outgoing requests, beside the usual ones, in PEM.',
    env: ['CATALOG_CA_FILE'],
    default: undefined,
  }),
  trusted_proxies: listSetting({
    summary: 'Addresses or networks whose `X-Forwarded-*` headers are believed.',
    env: ['CATALOG_TRUSTED_PROXIES'],
    default: [],
    of: checked(
      'an address or a network such as `10.0.0.0/8`',
      'Write an IP address, or one with a prefix length.',
      (value) => (ipaddr.isValid(value) || ipaddr.isValidCIDR(value) ? value : undefined),
    ),
  }),
  'proxy.http': proxySetting('The proxy for outgoing http requests.', [
    'http_proxy',
    'HTTP_PROXY',
    'all_proxy',
    'ALL_PROXY',
  ]),
  'proxy.https': proxySetting('The proxy for outgoing https requests.', [
    'https_proxy',
    'HTTPS_PROXY',
    'all_proxy',
    'ALL_PROXY',
  ]),
  'proxy.except': listSetting({
    summary: 'Hosts that are reached without the proxy.',
    env: ['no_proxy', 'NO_PROXY'],
    default: [],
  }),
  'egress.allowed_hosts': listSetting({
    summary: 'Hosts that may be reached by plain http and at private addresses.',
    env: ['CATALOG_EGRESS_ALLOWED_HOSTS'],
    default: [],
  }),
  'git.credentials': {
    summary:
      'What to show git hosts for admin-defined layers: `{host, path_prefix, username, password, ssh_key}`; the longest matching prefix is used.',
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
      'The host keys ssh trusts; without it the first key a host shows is kept and asked for from then on.',
    env: ['CATALOG_GIT_KNOWN_HOSTS'],
    default: undefined,
  }),
  'git.folder': pathSetting({
    summary: 'Where fetched repositories are kept; all of it can be fetched again.',
    env: ['CATALOG_GIT_FOLDER'],
    default: '~/.catalog/standalone/git',
  }),
  'git.search_path': textSetting({
    summary: 'The folders in which `git` and `ssh` are looked for.',
    env: ['PATH'],
    default: '/usr/local/bin:/usr/bin:/bin',
    check: text(MAX_PROSE),
  }),
  'ingest.max_layer_bytes': numberSetting(
    { min: MEBIBYTE, max: 2 ** 50 },
    {
      summary: 'The most bytes a layer may hold.',
      env: ['CATALOG_INGEST_MAX_LAYER_BYTES'],
      default: 2048 * MEBIBYTE,
    },
  ),
  'ingest.max_layer_files': numberSetting(
    { min: 1, max: 100_000_000 },
    {
      summary: 'The most files a layer may hold.',
      env: ['CATALOG_INGEST_MAX_LAYER_FILES'],
      default: 1_000_000,
    },
  ),
  'ingest.timeout': durationSetting({
    summary: "Timeout for reading a layer's source.",
    env: ['CATALOG_INGEST_TIMEOUT'],
    default: 600,
    default_text: '10m',
  }),
  'ingest.personal_timeout': durationSetting({
    summary: 'Timeout for reading the source of a personal layer.',
    env: ['CATALOG_INGEST_PERSONAL_TIMEOUT'],
    default: 120,
    default_text: '2m',
  }),
  'lint.per_file_soft_cap_bytes': numberSetting(
    { min: 1, max: 2 ** 50 },
    {
      summary: 'A bundled file above this gets a warning.',
      env: ['CATALOG_LINT_PER_FILE_SOFT_CAP_BYTES'],
      default: DEFAULT_LIMITS.file_bytes,
    },
  ),
  'lint.per_package_soft_cap_bytes': numberSetting(
    { min: 1, max: 2 ** 50 },
    {
      summary: 'An artifact above this is refused.',
      env: ['CATALOG_LINT_PER_PACKAGE_SOFT_CAP_BYTES'],
      default: DEFAULT_LIMITS.package_bytes,
    },
  ),
  enforce_sandbox_profile: switchSetting({
    summary: 'Refuse artifacts whose `sandbox_profile` is not among `host_sandboxes`.',
    env: ['CATALOG_ENFORCE_SANDBOX_PROFILE'],
    default: false,
  }),
  host_sandboxes: {
    summary: 'Sandbox profiles that hosts of this registry can honour.',
    env: ['CATALOG_HOST_SANDBOXES'],
    check: listOf(oneOf(SANDBOX_PROFILES)),
    default: ['unrestricted'],
    fromText: (value) => value.split(/[\s,]+/).filter((word) => word !== ''),
  } satisfies Setting<(typeof SANDBOX_PROFILES)[number][]>,
  plugins: {
    ...listSetting({
      summary: 'Modules that add artifact types, checks and error codes; paths.',
      default: [],
    }),
    resolve: (modules, toAbsolute) => modules.map(toAbsolute),
  } satisfies Setting<string[], string[]>,
  metrics: switchSetting({
    summary: 'Serve `/metrics`.',
    env: ['CATALOG_METRICS'],
    default: true,
  }),
  access_log: switchSetting({
    summary: 'Log a line for every request.',
    env: ['CATALOG_ACCESS_LOG'],
    default: true,
  }),
  'log.level': choiceSetting(['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
    summary: 'The least that is logged.',
    env: ['CATALOG_LOG_LEVEL'],
    default: 'info',
  }),
  'log.format': choiceSetting(['auto', 'json', 'text'], {
    summary: '`text` is for people, `json` for collectors; `auto` is text on a terminal.',
    env: ['CATALOG_LOG_FORMAT'],
    default: 'auto',
  }),
  shutdown_timeout: durationSetting({
    summary: 'How long open requests and jobs may take to end when the registry is told to stop.',
    env: ['CATALOG_SHUTDOWN_TIMEOUT'],
    default: 15,
    default_text: '15s',
  }),
  ...ACCESS_SETTINGS,
  ...EMBEDDING_SETTINGS,
  ...VECTOR_SETTINGS,
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingKey = keyof typeof SETTINGS;

type ValueOf<Row> = Row extends {
  check: { read(...args: never): infer Value };
  default: infer Default;
}
  ? Exclude<Value, undefined> | Default
  : never;

/** Every setting with its value. */
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
    check: checked('an http or https address', 'Write `http://host:port`.', (value) =>
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
