import { join } from 'node:path';
import type { SearchResponse } from '@catalog/contract/records/discovery';
import { recallOf, scoreExactly } from '../baselines/exact-bm25.ts';
import { resultOfParts, type Figure, type Measurement } from '../figure.ts';
import { makeQueries, type QueryKind } from '../fixtures/search-queries.ts';
import { storeCatalogue, type StoredCatalogue } from '../fixtures/stored-catalogue.ts';
import { growthNote, growthPart } from '../growth-part.ts';
import { startRegistryProcess } from '../registry-process.ts';
import { openSide, timeInTurns, type Client, type Side } from '../timed-requests.ts';

const TIMES_SMALLER = 10;
const AT_MOST_RATIO = 1.5;
const AT_MOST_MS = 100;
const AT_LEAST_RECALL = 0.95;
const RESULTS = 10;
/** Of each kind to each registry. */
const REQUESTS = 500;

export const growth: Figure = {
  name: 'growth',
  summary:
    'The same requests to two registries, one with ten times the artifacts: p50 of loads, maps and ' +
    'lists side by side; searches by their p99, and by how much of the exact BM25 order they find.',
  kind: 'speed',
  n: 100_000,
  small_n: 2_000,
  run: async ({ n, seed, folder }) => {
    const small = await serveCatalogue(join(folder, 'small'), Math.ceil(n / TIMES_SMALLER), seed);
    const large = await serveCatalogue(join(folder, 'large'), n, seed);
    try {
      const measured = [
        ...(await measureReads(small, large)),
        ...(await measureSearches(small, large, seed)),
      ];
      const parts = measured.flatMap((each) => each.parts);
      return resultOfParts('growth', parts, [
        `baseline: the same registry with ${small.n} artifacts, asked in turns`,
        'the catalogue: four layers, 40 artifacts a domain, 12 to 28 words a description, ' +
          'one word in 29 % of them; p50 and CPU of the serving process for each request:',
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
  stored: StoredCatalogue;
  side: Side;
}

interface Measured {
  parts: Measurement[];
  note: string;
}

async function serveCatalogue(home: string, n: number, seed: string): Promise<Served> {
  const stored = await storeCatalogue(home, { n, seed });
  return { n, stored, side: openSide(await startRegistryProcess(home)) };
}

/** Requests whose answers are as large in a small catalogue as in a large one. */
function readsOf({ stored }: Served): Record<string, string[]> {
  const { documents, domain, importing } = stored;
  const step = Math.max(1, Math.floor(documents.length / REQUESTS));
  const loads = documents.filter((_, index) => index % step === 0);
  return {
    load: loads.map(({ id }) => `/v1/load_artifact?id=${id}`),
    'load-domain-root': ['/v1/load_domain'],
    'load-domain': [`/v1/load_domain?path=${domain}`],
    'include-globs': [`/v1/load_domain?path=${importing}`],
    catalog: [`/v1/catalog?scope=${domain}`],
    'scope-preview': ['/v1/scope/preview'],
  };
}

async function measureReads(small: Served, large: Served): Promise<Measured[]> {
  const measured: Measured[] = [];
  const ofSmall = readsOf(small);
  for (const [name, paths] of Object.entries(readsOf(large))) {
    const times = await timeInTurns(
      { side: large.side, paths },
      { side: small.side, paths: ofSmall[name] ?? [] },
      REQUESTS,
    );
    measured.push({
      parts: [growthPart(`growth-${name}`, large.n, times, AT_MOST_RATIO)],
      note: growthNote(name, times),
    });
  }
  return measured;
}

async function measureSearches(small: Served, large: Served, seed: string): Promise<Measured[]> {
  const queries = makeQueries(large.stored, seed);
  const exact = scoreExactly(large.stored.documents, Object.values(queries).flat());
  const measured: Measured[] = [];
  for (const kind of ['rare', 'common', 'three', 'sentence'] as const) {
    const paths = queries[kind].map(pathOf);
    const times = await timeInTurns(
      { side: large.side, paths },
      { side: small.side, paths },
      REQUESTS,
    );
    const found = await recall(large.side.client, queries[kind], exact);
    measured.push({
      parts: [latencyPart(kind, large.n, times.subject.p99), recallPart(kind, large.n, found)],
      note: growthNote(`search, ${kind}`, times),
    });
  }
  return measured;
}

function pathOf(query: string): string {
  return `/v1/search_artifacts?query=${encodeURIComponent(query)}&top_k=${RESULTS}`;
}

async function recall(
  client: Client,
  queries: readonly string[],
  exact: ReadonlyMap<string, ReadonlyMap<string, number>>,
): Promise<number> {
  let sum = 0;
  for (const query of queries) {
    const { results }: SearchResponse = JSON.parse((await client.get(pathOf(query))).body);
    const found = results.map(({ id }) => id);
    sum += recallOf(exact.get(query) ?? new Map(), found, RESULTS);
  }
  return sum / queries.length;
}

function latencyPart(kind: QueryKind, n: number, p99: number): Measurement {
  return {
    ...bare(`growth-search-${kind}`, n),
    value: p99,
    unit: 'ms p99',
    goal: `value <= ${AT_MOST_MS}`,
    met: p99 <= AT_MOST_MS,
  };
}

function recallPart(kind: QueryKind, n: number, value: number): Measurement {
  return {
    ...bare(`growth-recall-${kind}`, n),
    value,
    unit: 'of the best ten',
    goal: `value >= ${AT_LEAST_RECALL}`,
    met: value >= AT_LEAST_RECALL,
  };
}

function bare(
  name: string,
  n: number,
): Pick<Measurement, 'name' | 'n' | 'baseline' | 'ratio' | 'cpu_ratio'> {
  return { name, n, baseline: null, ratio: null, cpu_ratio: null };
}
