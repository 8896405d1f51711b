import { join } from 'node:path';
import type { SearchResponse } from '@catalog/contract/records/discovery';
import { embeddedText } from '@catalog/core/search/embedded-text';
import { encode } from '@catalog/embedder/encode';
import { FLOOR } from '@catalog/embedder/model';
import { resultOfParts, type Figure, type Measurement } from '../figure.ts';
import { makeQueries, type QueryKind } from '../fixtures/search-queries.ts';
import {
  COMPLETE_TREE,
  storeCatalogue,
  type StoredCatalogue,
} from '../fixtures/stored-catalogue.ts';
import { growthNote, growthPart } from '../growth-part.ts';
import { startRegistryProcess, untilEmbedded } from '../registry-process.ts';
import { openOracle } from '../search-views/oracle.ts';
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
    'Sends the same requests to two registries, one with ten times the artifacts. Compares the p50 of loads, domain maps and lists, the p99 of searches, and the recall of searches against an exhaustive search.',
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
        `baseline: the same registry with ${small.n} artifacts, alternating`,
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
  const registry = await startRegistryProcess(home);
  await untilEmbedded(registry.url);
  return { n, stored, side: openSide(registry) };
}

/** Read domains of the upper levels: while not all of them are there, they grow with the catalogue. */
const OF_THE_TREE = new Set(['load-domain-root', 'include-globs']);

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
    const grows = OF_THE_TREE.has(name) && small.n < COMPLETE_TREE;
    const atMost = grows ? AT_MOST_RATIO * TIMES_SMALLER : AT_MOST_RATIO;
    measured.push({
      parts: [growthPart(`growth-${name}`, large.n, times, atMost)],
      note: growthNote(name, times),
    });
  }
  return measured;
}

async function measureSearches(small: Served, large: Served, seed: string): Promise<Measured[]> {
  const queries = makeQueries(large.stored, seed);
  const listBest = openBest(large.stored);
  const measured: Measured[] = [];
  for (const kind of ['rare', 'common', 'three', 'sentence'] as const) {
    const paths = queries[kind].map(pathOf);
    const times = await timeInTurns(
      { side: large.side, paths },
      { side: small.side, paths },
      REQUESTS,
    );
    const found = await recall(large.side.client, queries[kind], listBest);
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

/** Lists the ids of the best for a query, by looking at every artifact. */
function openBest({ documents, layerAt }: StoredCatalogue): (query: string) => string[] {
  const artifacts = documents.map((document, place) => ({
    layer: layerAt(place),
    document,
    searched: true,
    vector: encode(embeddedText(document)),
  }));
  const layers = [...new Set(artifacts.map(({ layer }) => layer))].sort((a, b) => a - b);
  const oracle = openOracle({ layers, artifacts });
  return (text) => {
    const query = { query: text, type: '', tags: [], scope: '', top_k: RESULTS };
    const { hits } = oracle.answer({ layers, query, vector: encode(text) }, FLOOR);
    return hits.map(({ id }) => id);
  };
}

/** The share of the best that was found. Equals have an order too, so there is one right answer. */
async function recall(
  client: Client,
  queries: readonly string[],
  listBest: (query: string) => string[],
): Promise<number> {
  let sum = 0;
  for (const query of queries) {
    const { results }: SearchResponse = JSON.parse((await client.get(pathOf(query))).body);
    const found = new Set(results.map(({ id }) => id));
    const best = listBest(query);
    sum += best.length === 0 ? 1 : best.filter((id) => found.has(id)).length / best.length;
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
