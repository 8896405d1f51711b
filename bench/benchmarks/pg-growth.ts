import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPath } from '@catalog/core/text/slash-path';
import { resultOfParts, type Benchmark, type Measurement } from '../benchmark.ts';
import { loadCatalog, type PostgresCatalog } from '../fixtures/pg-catalog.ts';
import { loadDependents, listTargets } from '../fixtures/pg-dependents.ts';
import { makeQueries } from '../fixtures/search-queries.ts';
import { query } from '../pg-database.ts';
import { startRegistryProcess, untilEmbedded } from '../registry-process.ts';
import {
  openSide,
  timeInTurns,
  type TimedRequests,
  type Cost,
  type Side,
} from '../timed-requests.ts';

const SIZE_FACTOR = 100;
/** Minimum number of artifacts, because a smaller catalog has no domain of the usual size. */
const MIN_ARTIFACTS = 100;
const MAX_RATIO = 1.5;
const MAX_SEARCH_RATIO = 3;
const REQUESTS = 200;
const SMOKE_REQUESTS = 30;
const FULL_SIZE = 1_000_000;

export const pgGrowth: Benchmark = {
  name: 'pg-growth',
  summary:
    'Sends the same requests to two registries on PostgreSQL, one with a hundred times the artifacts, in views of 60 layers. Compares the p50 of loads, domain maps, lists and searches, and the rows and pages they read.',
  servers: true,
  n: FULL_SIZE,
  small_n: 1_000,
  run: async ({ n, seed, folder }) => {
    const few = Math.max(MIN_ARTIFACTS, Math.ceil(n / SIZE_FACTOR));
    const small = await serveCatalog(join(folder, 'small'), few, seed);
    const large = await serveCatalog(join(folder, 'large'), n, seed);
    try {
      const measured = await measureAll(small, large);
      const parts = measured.map(({ part }) => part);
      return resultOfParts('pg-growth', parts, [
        `baseline: the same registry on a database with ${few} artifacts, alternating`,
        'p50 and CPU of the registry process per request, then the rows and pages that its statements read:',
        ...measured.map(({ note }) => note),
      ]);
    } finally {
      await small.side.stop();
      await large.side.stop();
    }
  },
};

interface Served {
  n: number;
  catalogue: PostgresCatalog;
  side: Side;
  requests: Requests;
}

async function serveCatalog(home: string, n: number, seed: string): Promise<Served> {
  const postgresCatalog = await loadCatalog({ n, seed });
  await loadDependents(postgresCatalog, seed);
  mkdirSync(home, { recursive: true });
  const registry = await startRegistryProcess(home, {
    env: {
      CATALOG_REGISTRY_STORE: 'postgres',
      CATALOG_POSTGRES_DSN: postgresCatalog.database.dsn,
    },
  });
  await untilEmbedded(registry.url);
  return {
    n,
    catalogue: postgresCatalog,
    side: openSide(registry),
    requests: requestsOf(postgresCatalog, seed),
  };
}

type Requests = Readonly<Record<string, readonly string[]>>;

/** Creates requests whose responses have the same size in a small and in a large catalog. */
function requestsOf(postgresCatalog: PostgresCatalog, seed: string): Requests {
  const { n } = postgresCatalog;
  const step = Math.max(1, Math.floor(n / REQUESTS));
  const some = Array.from(
    { length: Math.min(n, REQUESTS) },
    (_, at) => postgresCatalog.documentAt(at * step).id,
  );
  const domain = parentPath(postgresCatalog.documentAt(0).id);
  const queries = Object.entries(makeQueries(postgresCatalog, seed)).map(
    ([kind, texts]) => [`search-${kind}`, texts.map(searchPath)] as const,
  );
  return {
    load: some.map((id) => `/v1/load_artifact?id=${id}`),
    'load-domain-root': ['/v1/load_domain'],
    'load-domain': [`/v1/load_domain?path=${domain}`],
    catalog: [`/v1/catalog?scope=${domain}`],
    dependents: listTargets(postgresCatalog).map((id) => `/v1/dependents?id=${id}`),
    'scope-preview': ['/v1/scope/preview'],
    analyze: [`/v1/domain/analyze?path=${domain}`],
    ...Object.fromEntries(queries),
  };
}

function searchPath(text: string): string {
  return `/v1/search_artifacts?query=${encodeURIComponent(text)}&top_k=10`;
}

interface Measured {
  part: Measurement;
  note: string;
}

async function measureAll(small: Served, large: Served): Promise<Measured[]> {
  const requests = large.n < FULL_SIZE / SIZE_FACTOR ? SMOKE_REQUESTS : REQUESTS;
  const measured: Measured[] = [];
  for (const [kind, paths] of Object.entries(large.requests)) {
    const subject = { side: large.side, paths };
    const baseline = { side: small.side, paths: small.requests[kind] ?? [] };
    const times = await timeInTurns(subject, baseline, requests);
    const [largeReads, least] = await Promise.all([
      countReads(subject, large.catalogue),
      countReads(baseline, small.catalogue),
    ]);
    const maxRatio = kind.startsWith('search-') ? MAX_SEARCH_RATIO : MAX_RATIO;
    measured.push({
      part: growthPart(`pg-growth-${kind}`, large.n, times, maxRatio),
      note: `${growthNote(kind, times)}; ${textOf(largeReads)}; small: ${textOf(least)}`,
    });
  }
  return measured;
}

function growthPart(
  name: string,
  n: number,
  { subject, baseline }: { subject: Cost; baseline: Cost },
  maxRatio: number,
): Measurement {
  const ratio = subject.p50 / baseline.p50;
  return {
    name,
    value: subject.p50,
    unit: 'ms',
    baseline: baseline.p50,
    ratio,
    cpu_ratio: subject.cpu_ms / baseline.cpu_ms,
    n,
    goal: `ratio <= ${maxRatio}`,
    met: ratio <= maxRatio,
  };
}

function growthNote(
  name: string,
  { subject, baseline }: { subject: Cost; baseline: Cost },
): string {
  const cost = ({ p50, cpu_ms }: Cost): string =>
    `${p50.toFixed(2)} ms, CPU ${cpu_ms.toFixed(2)} ms`;
  return `${name}: ${cost(subject)}; small: ${cost(baseline)}`;
}

interface Reads {
  rows: number;
  pages: number;
}

function textOf({ rows, pages }: Reads): string {
  return `${Math.round(rows)} rows, ${Math.round(pages)} pages`;
}

const COUNTED_REQUESTS = 20;
/** A connection reports its statistics at most once a second, with the next statement. */
const STATISTICS_DELAY_MS = 1_100;

async function countReads(
  { side, paths }: TimedRequests,
  postgresCatalog: PostgresCatalog,
): Promise<Reads> {
  const sendRequest = (at: number): Promise<unknown> =>
    side.client.get(paths[at % paths.length] ?? '');
  const readAfterRequest = async (at: number): Promise<Reads> => {
    await delay(STATISTICS_DELAY_MS);
    await sendRequest(at);
    return readCounters(postgresCatalog);
  };
  const before = await readAfterRequest(0);
  for (let at = 1; at < COUNTED_REQUESTS; at += 1) await sendRequest(at);
  const after = await readAfterRequest(COUNTED_REQUESTS);
  return {
    rows: (after.rows - before.rows) / COUNTED_REQUESTS,
    pages: (after.pages - before.pages) / COUNTED_REQUESTS,
  };
}

const COUNTERS = `SELECT (tup_returned + tup_fetched)::float8 AS rows,
    (blks_hit + blks_read)::float8 AS pages
  FROM pg_stat_database WHERE datname = current_database()`;

async function readCounters({ database }: PostgresCatalog): Promise<Reads> {
  const [row] = await query<Reads & Record<string, number>>(database.owner_dsn, COUNTERS);
  if (row === undefined) throw new Error('the database counts nothing');
  return row;
}
