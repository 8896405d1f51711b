/**
 * Settings of the specification that this registry does not support. They are rejected instead of ignored, so that a
 * registry never runs with less than its configuration requires.
 */

interface Missing {
  /** Keys below `registry:`; a subtree ends with a dot. */
  keys: readonly string[];
  /** Environment variables; a name that ends with `_` is a prefix. */
  variables: readonly string[];
  what: string;
}

const MISSING: readonly Missing[] = [
  { what: 'separate vector databases', keys: [], variables: ['CATALOG_PGVECTOR_DSN'] },
  { what: 'embedding queue settings', keys: [], variables: ['CATALOG_VECTOR_OUTBOX_'] },
  {
    what: 'notifications',
    keys: ['notification.'],
    variables: [
      'CATALOG_WEBHOOK_MAX_FAILURES',
      'CATALOG_WEBHOOK_RETRY_BACKOFF',
      'CATALOG_NOTIFICATION_',
    ],
  },
  {
    what: 'removal of old audit records',
    keys: [],
    variables: ['CATALOG_AUDIT_RETENTION_'],
  },
  { what: 'traces', keys: ['tracing'], variables: ['CATALOG_TRACING'] },
  {
    what: 'mode except standalone',
    keys: ['standalone'],
    variables: ['CATALOG_STANDALONE', 'CATALOG_NO_AUTOSTANDALONE'],
  },
  { what: 'lint rules that access the network', keys: [], variables: ['CATALOG_INGEST_OFFLINE'] },
  {
    what: 'removal of deprecated versions',
    keys: ['deprecated_retention_days'],
    variables: ['CATALOG_DEPRECATED_RETENTION_DAYS'],
  },
];

export function findMissing(name: string): string | undefined {
  return MISSING.find(({ keys, variables }) =>
    [...keys, ...variables].some((known) => covers(known, name)),
  )?.what;
}

function covers(known: string, name: string): boolean {
  if (known.endsWith('.')) return name === known.slice(0, -1) || name.startsWith(known);
  return known.endsWith('_') ? name.startsWith(known) : name === known;
}

export const CLIENT_VARIABLES: readonly string[] = [
  'CATALOG_REGISTRY',
  'CATALOG_HARNESS',
  'CATALOG_OVERLAY_PATH',
  'CATALOG_CACHE_DIR',
  'CATALOG_CACHE_MODE',
  'CATALOG_CACHE_RESOLUTION_TTL_SECONDS',
  'CATALOG_MATERIALIZE_ROOT',
  'CATALOG_PREFETCH',
  'CATALOG_AUDIT_SINK',
  'CATALOG_VERIFY_SIGNATURES',
  'CATALOG_SIGNATURE_PROVIDER',
  'CATALOG_SIGNATURE_VERIFY_KEY',
  'CATALOG_SIGNATURE_KEY_ID',
  'CATALOG_OAUTH_AUTHORIZATION_ENDPOINT',
  'CATALOG_OAUTH_TOKEN_URL',
  'CATALOG_OAUTH_CLIENT_ID',
  'CATALOG_OAUTH_SCOPES',
  'CATALOG_TOKEN_KEYCHAIN_NAME',
  'CATALOG_TOKEN_STORE',
  'CATALOG_SESSION_TOKEN',
  'CATALOG_SESSION_TOKEN_FILE',
  'CATALOG_SESSION_TOKEN_ENV',
  'CATALOG_TOKEN',
  'CATALOG_TENANT_ID',
  'CATALOG_HOST_PYTHON',
  'CATALOG_HOST_NODE',
  'CATALOG_HOST_PACKAGES',
  'CATALOG_ENFORCE_RUNTIME_REQUIREMENTS',
  'CATALOG_IGNORE_RUNTIME_REQUIREMENTS',
  'CATALOG_IGNORE_SANDBOX',
  'CATALOG_MIN_CLIENT_VERSION',
  'CATALOG_MCP_METRICS_ADDR',
  'CATALOG_MCP_MIN_CLIENTS',
  'CATALOG_MCP_SURFACES',
  'CATALOG_MCP_WRITE',
  'CATALOG_NO_BROWSER',
  'CATALOG_CONFIG',
  'CATALOG_LOCAL_SQLITE_VEC_PATH',
  'CATALOG_DEBUG',
];
