import type { ErrorCode } from '@catalog/contract/errors/error-codes';
import type { DegradablePart } from '@catalog/contract/records/operations';

/** Dependencies that can be unavailable. `database` is the primary and every standby. */
export const DEPENDENCIES = [
  'object_store',
  'embedding_provider',
  'git_host',
  'identity_provider',
  'standby',
  'primary',
  'database',
] as const satisfies readonly (DegradablePart | 'standby' | 'primary' | 'database')[];
export type Dependency = (typeof DEPENDENCIES)[number];

/** Dependencies whose processes the test can stop. */
export const DATABASE_SERVERS = [
  'standby',
  'primary',
  'database',
] as const satisfies readonly Dependency[];

/**
 * Failure of a dependency. A frozen server hangs because its processes are stopped. A dependency
 * that hangs otherwise executes requests, and the network loses the responses.
 */
export type Fault = 'refuses' | 'hangs' | 'freezes';

/** The name of each dependency in `docs/operations/outages.md`. */
export const TITLES: Readonly<Record<Dependency, string>> = {
  object_store: 'Object store',
  embedding_provider: 'Embedding provider',
  git_host: 'Git host',
  identity_provider: 'Issuer',
  standby: 'Standby',
  primary: 'Primary',
  database: 'Primary and standbys',
};

/** Result of a request: its status, the code of an error, and whether a search used words only. */
export interface Outcome {
  status: number;
  code?: ErrorCode;
  degraded?: true;
}

export const REQUEST_NAMES = [
  'load',
  'load_large',
  'object',
  'batch_load',
  'session',
  'search',
  'domain',
  'manifest',
  'layers',
  'events',
  'whoami',
  'whoami_new_key',
  'sign_in',
  'sign_in_return',
  'ingest',
  'ingest_large',
  'ingest_git',
  'webhook',
  'update_layer',
  'healthz',
  'readyz',
  'metrics',
] as const;
export type RequestName = (typeof REQUEST_NAMES)[number];

export interface DocumentedRequest {
  title: string;
  works: Outcome;
  without: Readonly<Partial<Record<Dependency, Outcome>>>;
}

const UNAVAILABLE: Outcome = { status: 500, code: 'registry.unavailable' };
const READ_ONLY: Outcome = { status: 503, code: 'registry.read_only' };

function read(title: string, without: DocumentedRequest['without'] = {}): DocumentedRequest {
  return { title, works: { status: 200 }, without: { database: UNAVAILABLE, ...without } };
}

function write(
  title: string,
  status: number,
  without: DocumentedRequest['without'] = {},
): DocumentedRequest {
  return {
    title,
    works: { status },
    without: { primary: READ_ONLY, database: UNAVAILABLE, ...without },
  };
}

function always(title: string, status = 200): DocumentedRequest {
  return { title, works: { status }, without: {} };
}

/** `./dev docs` writes this table to `docs/operations/outages.md`; `./dev stress outage` checks it. */
export const REQUESTS: Readonly<Record<RequestName, DocumentedRequest>> = {
  load: read('Load an artifact'),
  load_large: read('Load an artifact with a large file'),
  object: read('Download a large file from the registry', { object_store: UNAVAILABLE }),
  batch_load: read('Load several artifacts'),
  session: read('Load with a session id'),
  search: read('Search', { embedding_provider: { status: 200, degraded: true } }),
  domain: read('Domain map'),
  manifest: read('Sync manifest'),
  layers: read('List layers'),
  events: read('Open an event stream'),
  whoami: read('New token, signed with a known key'),
  whoami_new_key: read('New token, signed with a new key', {
    identity_provider: { status: 401, code: 'auth.untrusted_token' },
  }),
  sign_in: {
    title: 'Start a browser sign-in',
    works: { status: 302 },
    without: { primary: READ_ONLY },
  },
  sign_in_return: {
    title: 'Finish a browser sign-in',
    works: { status: 302 },
    without: { primary: READ_ONLY, identity_provider: UNAVAILABLE },
  },
  ingest: write('Ingest of small files', 200),
  ingest_large: write('Ingest of a large file', 200, {
    object_store: { status: 422, code: 'ingest.resource_store_failed' },
  }),
  ingest_git: write('Ingest from git', 200, {
    git_host: { status: 502, code: 'ingest.source_unreachable' },
  }),
  webhook: write('Webhook delivery', 202),
  update_layer: write('Change a layer', 200),
  healthz: always('`/healthz`'),
  readyz: { title: '`/readyz`', works: { status: 200 }, without: { database: { status: 503 } } },
  metrics: always('`/metrics`'),
};

export function documentedOutcome(name: RequestName, dependency: Dependency): Outcome {
  const { works, without } = REQUESTS[name];
  return without[dependency] ?? works;
}
