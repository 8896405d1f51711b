import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPath } from '@catalog/core/text/slash-path';
import { resultOfParts, type Benchmark, type Measurement } from '../benchmark.ts';
import { keepCatalogue, type PostgresCatalogue } from '../fixtures/pg-catalogue.ts';
import { keepDependents, listTargets } from '../fixtures/pg-dependents.ts';
import { makeQueries } from '../fixtures/search-queries.ts';
import { query } from '../pg-database.ts';
import { startRegistryProcess, untilEmbedded } from '../registry-process.ts';
import { openSide, timeInTurns, type Asked, type Cost, type Side } from '../timed-requests.ts';

const TIMES_SMALLER = 100;
/** A smaller catalog does not have a domain of the usual size. */
const SMALLEST = 100;
const AT_MOST_RATIO = 1.5;
const AT_MOST_SEARCH_RATIO = 3;
const REQUESTS = 200;
const FEW_REQUESTS = 30;
const FULL_SIZE = 1_000_000;

export const pgGrowth: Benchmark = {
  name: 'pg-growth',
  summary:
    'Sends the same requests to two registries on PostgreSQL, one with a hundred times the artifacts, in views of 60 layers. Compares the p50 of loads, domain maps, lists and searches, and the rows and pages they read.',
  servers: true,
  n: FULL_SIZE,
  small_n: 1_000,
  run: async ({ n, seed, folder }) => {
    const few = Math.max(SMALLEST, Math.ceil(n / TIMES_SMALLER));
    const small = await serveCatalogue(join(folder, 'small'), few, seed);
    const large = await serveCatalogue(join(folder, 'large'), n, seed);
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
  catalogue: PostgresCatalogue;
  side: Side;
  requests: Requests;
}

async function serveCatalogue(home: string, n: number, seed: string): Promise<Served> {
  const catalogue = await keepCatalogue({ n, seed });
  await keepDependents(catalogue, seed);
  mkdirSync(home, { recursive: true });
  const registry = await startRegistryProcess(home, {
    env: {
      CATALOG_REGISTRY_STORE: 'postgres',
      CATALOG_POSTGRES_DSN: catalogue.database.dsn,
    },
  });
  await untilEmbedded(registry.url);
  return { n, catalogue, side: openSide(registry), requests: requestsOf(catalogue, seed) };
}

type Requests = Readonly<Record<string, readonly string[]>>;

/** Creates requests whose responses have the same size in a small and in a large catalog. */
function requestsOf(catalogue: PostgresCatalogue, seed: string): Requests {
  const { n } = catalogue;
  const step = Math.max(1, Math.floor(n / REQUESTS));
  const some = Array.from(
    { length: Math.min(n, REQUESTS) },
    (_, at) => catalogue.documentAt(at * step).id,
  );
  const domain = parentPath(catalogue.documentAt(0).id);
  const queries = Object.entries(makeQueries(catalogue, seed)).map(
    ([kind, texts]) => [`search-${kind}`, texts.map(searchPath)] as const,
  );
  return {
    load: some.map((id) => `/v1/load_artifact?id=${id}`),
    'load-domain-root': ['/v1/load_domain'],
    'load-domain': [`/v1/load_domain?path=${domain}`],
    catalog: [`/v1/catalog?scope=${domain}`],
    dependents: listTargets(catalogue).map((id) => `/v1/dependents?id=${id}`),
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
  const requests = large.n < FULL_SIZE / TIMES_SMALLER ? FEW_REQUESTS : REQUESTS;
  const measured: Measured[] = [];
  for (const [kind, paths] of Object.entries(large.requests)) {
    const subject = { side: large.side, paths };
    const baseline = { side: small.side, paths: small.requests[kind] ?? [] };
    const times = await timeInTurns(subject, baseline, requests);
    const [most, least] = await Promise.all([
      countReads(subject, large.catalogue),
      countReads(baseline, small.catalogue),
    ]);
    const atMost = kind.startsWith('search-') ? AT_MOST_SEARCH_RATIO : AT_MOST_RATIO;
    measured.push({
      part: growthPart(`pg-growth-${kind}`, large.n, times, atMost),
      note: `${growthNote(kind, times)}; ${textOf(most)}; small: ${textOf(least)}`,
    });
  }
  return measured;
}

function growthPart(
  name: string,
  n: number,
  { subject, baseline }: { subject: Cost; baseline: Cost },
  atMost: number,
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
    goal: `ratio <= ${atMost}`,
    met: ratio <= atMost,
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
const TOLD_AFTER_MS = 1_100;

async function countReads({ side, paths }: Asked, catalogue: PostgresCatalogue): Promise<Reads> {
  const ask = (at: number): Promise<unknown> => side.client.get(paths[at % paths.length] ?? '');
  const look = async (at: number): Promise<Reads> => {
    await delay(TOLD_AFTER_MS);
    await ask(at);
    return readCounters(catalogue);
  };
  const before = await look(0);
  for (let at = 1; at < COUNTED_REQUESTS; at += 1) await ask(at);
  const after = await look(COUNTED_REQUESTS);
  return {
    rows: (after.rows - before.rows) / COUNTED_REQUESTS,
    pages: (after.pages - before.pages) / COUNTED_REQUESTS,
  };
}

const COUNTERS = `SELECT (tup_returned + tup_fetched)::float8 AS rows,
    (blks_hit + blks_read)::float8 AS pages
  FROM pg_stat_database WHERE datname = current_database()`;

async function readCounters({ database }: PostgresCatalogue): Promise<Reads> {
  const [row] = await query<Reads & Record<string, number>>(database.owner_dsn, COUNTERS);
  if (row === undefined) throw new Error('the database counts nothing');
  return row;
}
