import { join } from 'node:path';
import type { SearchDocument, SearchQuery } from '@catalog/core/ports/search-index';
import type { Store } from '@catalog/core/ports/store';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import type { VectorQuery } from '@catalog/core/ports/vector-index';
import { embeddedText } from '@catalog/core/search/embedded-text';
import { hybridSearch, type HybridReads } from '@catalog/core/search/hybrid-search';
import { encode } from '@catalog/embedder/encode';
import { createBuiltinEmbedder } from '@catalog/server/adapters/embedder/builtin-embedder';
import { openPostgresStore } from '@catalog/server/adapters/store/postgres/open-store';
import { searchReads } from '@catalog/server/adapters/store/postgres/search/search';
import { vectorIndex } from '@catalog/server/adapters/store/postgres/vectors/vectors';
import { openSqliteStore } from '@catalog/server/adapters/store/sqlite/open-store';
import { resultOfParts, type Benchmark, type Measurement } from '../benchmark.ts';
import { loadCatalog } from '../fixtures/pg-catalog.ts';
import { loadEmbeddings } from '../fixtures/pg-vectors.ts';
import { makeQueries, type QueryKind } from '../fixtures/search-queries.ts';
import { STORE, storeCatalog } from '../fixtures/stored-catalog.ts';
import { ratioPart, recallPart } from '../pg-search/compare.ts';
import { openBare, type Statement } from '../pg-search/replay.ts';
import { SIDES, timeSides, type Sides, type SideTimes } from '../search-cost/time-sides.ts';

const MAX_RATIO = 1.3;
const MIN_RECALL = 0.95;
const VECTORS_CPU_MS = 30;
const QUERY_CPU_MS = 0.1;
const RESULTS = 10;
/** Number of artifacts in PostgreSQL for each one in SQLite. */
const POSTGRES_SIZE_FACTOR = 10;
const REQUESTS = 250;
/** With fewer artifacts, the run is only a smoke test. */
const MIN_MEASURED_SIZE = 50_000;
const SMOKE_REQUESTS = 25;
const ENCODINGS = 20_000;
/** Relative tolerance: vectors are quantized, which can swap two scores this close. */
const ROUNDING = 1e-3;
const NEVER = new AbortController().signal;

const EMBEDDER = createBuiltinEmbedder('bench/builtin');
const KINDS = ['rare', 'common', 'three', 'sentence'] as const;

export const searchCost: Benchmark = {
  name: 'search-cost',
  summary:
    'Hybrid searches in SQLite, and with ten times as many artifacts in PostgreSQL, compared with the slower of the two parts (words or vectors) alone. Also the recall of the vector search against the exact order, and the cost of embedding a query.',
  servers: true,
  n: 100_000,
  small_n: 1_000,
  run: async ({ n, seed, folder }) => {
    const sqlite = await measureSqlite(folder, n, seed);
    const postgres = await measurePostgres(n * POSTGRES_SIZE_FACTOR, seed);
    return resultOfParts(
      'search-cost',
      [...sqlite.parts, ...postgres.parts, measureEmbedding(sqlite.queries)],
      [
        'baseline: the slower of words alone and meaning alone, each for the ten best; in SQLite through the store, ' +
          'in PostgreSQL the statements that the store sends, prepared on connections of node-postgres',
        'vectors: of the built-in model, made of the generated texts',
        'p50 / p99 in ms, CPU of this process in ms, of all, words and meaning:',
        ...sqlite.notes,
        ...postgres.notes,
      ],
    );
  },
};

interface Measured {
  parts: Measurement[];
  notes: string[];
}

type Queries = Record<QueryKind, string[]>;

async function measureSqlite(
  folder: string,
  n: number,
  seed: string,
): Promise<Measured & { queries: Queries }> {
  const stored = await storeCatalog(folder, { n, seed });
  const queries = makeQueries(stored, seed);
  const store = await openSqliteStore({ path: join(folder, STORE) });
  try {
    const layers = (await store.layers.list(ONLY_TENANT)).map(({ number }) => number);
    const vectors = stored.documents.map((document) => ({
      id: document.id,
      vector: vectorOf(document),
    }));
    await store.vectors.addModel(EMBEDDER.model);
    for (const layer of layers) {
      // The store only keeps vectors of artifacts that are in the layer.
      const shelf = { layer, kind: 'artifact', model: EMBEDDER.model.name } as const;
      await store.vectors.putVectors(ONLY_TENANT, shelf, vectors);
    }
    const measured = await measureKinds('sqlite', n, queries, (query) => ({
      hybrid: () => hybridSearch(readsOf(store), ONLY_TENANT, layers, query),
      words: () => store.search.search(ONLY_TENANT, layers, query),
      vectors: () => store.vectors.searchVectors(ONLY_TENANT, layers, toQueryVector(query)),
    }));
    const found = await Promise.all(
      Object.values(queries)
        .flat()
        .map(async (query) => {
          const meaning = toQueryVector(toQuery(query));
          const hits = await store.vectors.searchVectors(ONLY_TENANT, layers, meaning);
          return recallOf(hits, meaning.vector, vectors);
        }),
    );
    const cpu_ms = Math.max(...measured.times.map(({ vectors: meaning }) => meaning.cpu_ms));
    return {
      ...measured,
      queries,
      parts: [
        ...measured.parts,
        limitPart('search-cost-sqlite-vectors', n, 'ms of CPU', cpu_ms, VECTORS_CPU_MS),
        recallPart('search-cost-sqlite-recall', n, mean(found), MIN_RECALL),
      ],
    };
  } finally {
    await store.close();
  }
}

/** Returns the share of the exact ten results that a response has. Results with equal scores are interchangeable. */
function recallOf(
  hits: readonly { id: string }[],
  queryVector: Float32Array,
  vectors: readonly { id: string; vector: Float32Array }[],
): number {
  const similarities = new Map(vectors.map(({ id, vector }) => [id, cosine(queryVector, vector)]));
  const best = [...similarities.values()].sort((a, b) => b - a).slice(0, RESULTS);
  const least = (best.at(-1) ?? 0) - ROUNDING;
  return hits.filter(({ id }) => (similarities.get(id) ?? 0) >= least).length / best.length;
}

function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

async function measurePostgres(n: number, seed: string): Promise<Measured> {
  const catalog = await loadCatalog({ n, seed }, printProgress('artifacts', n));
  const meanings = { model: EMBEDDER.model, vectorOf };
  await loadEmbeddings(catalog, seed, meanings, printProgress('vectors', n));
  const layers = catalog.layers.map(({ number }) => number);
  const store = await openPostgresStore({ dsn: catalog.database.dsn });
  const bare = await openBare(catalog.database.dsn);
  try {
    const recorded = new Map<string, Record<'words' | 'meaning', Statement[]>>();
    const queries = makeQueries(catalog, seed);
    for (const query of Object.values(queries).flat().map(toQuery)) {
      const words = await bare.record((run) =>
        searchReads({ run }).search(ONLY_TENANT, layers, query),
      );
      const meaning = await bare.record((run) =>
        vectorIndex(run, run).searchVectors(ONLY_TENANT, layers, toQueryVector(query)),
      );
      // The model gets its number with its first search.
      recorded.set(query.query, { words, meaning: meaning.slice(1) });
    }
    return await measureKinds('postgres', n, queries, (query) => ({
      hybrid: () => hybridSearch(readsOf(store), ONLY_TENANT, layers, query),
      words: () => bare.replay(recorded.get(query.query)?.words ?? []),
      vectors: () => bare.replay(recorded.get(query.query)?.meaning ?? []),
    }));
  } finally {
    await store.close();
    await bare.close();
  }
}

function printProgress(what: string, n: number): (loaded: number) => void {
  let reported = 0;
  return (loaded) => {
    if (loaded - reported < n / 20) return;
    reported = loaded;
    process.stderr.write(`${loaded} of ${n} ${what}\n`);
  };
}

async function measureKinds(
  engine: string,
  n: number,
  queries: Queries,
  waysOf: (query: SearchQuery) => Sides<() => Promise<unknown>>,
): Promise<Measured & { times: Sides<SideTimes>[] }> {
  const times: Sides<SideTimes>[] = [];
  const parts: Measurement[] = [];
  const notes: string[] = [];
  for (const kind of KINDS) {
    const questions = queries[kind].map((query) => waysOf(toQuery(query)));
    const sides = await timeSides(questions, n < MIN_MEASURED_SIZE ? SMOKE_REQUESTS : REQUESTS);
    times.push(sides);
    for (const share of ['p50', 'p99'] as const) {
      const slower = Math.max(sides.words[share], sides.vectors[share]);
      const name = `search-cost-${engine}-${kind}-${share}`;
      parts.push(ratioPart(name, n, sides.hybrid[share], slower, MAX_RATIO));
    }
    const text = ({ p50, p99, cpu_ms }: SideTimes): string =>
      `${p50.toFixed(1)} / ${p99.toFixed(1)}, CPU ${cpu_ms.toFixed(1)}`;
    notes.push(`${engine}, ${kind}: ${SIDES.map((side) => text(sides[side])).join('; ')}`);
  }
  return { times, parts, notes };
}

function measureEmbedding(queries: Queries): Measurement {
  const texts = Object.values(queries).flat();
  for (const text of texts) encode(text);
  const before = process.cpuUsage();
  for (let done = 0; done < ENCODINGS; done += 1) encode(texts[done % texts.length] ?? '');
  const { user, system } = process.cpuUsage(before);
  const cpu_ms = (user + system) / 1000 / ENCODINGS;
  return limitPart('search-cost-embedding', ENCODINGS, 'ms of CPU', cpu_ms, QUERY_CPU_MS);
}

function readsOf({ search, vectors }: Store): HybridReads {
  return {
    search,
    vectors,
    async ask(query) {
      const [vector] = await EMBEDDER.embed([query], 'query', NEVER);
      const { model, floor } = EMBEDDER;
      return vector && { model: model.name, vector, floor, least_nearest: floor, fusion: 'cosine' };
    },
    onFailure(cause) {
      throw cause;
    },
  };
}

function toQuery(query: string): SearchQuery {
  return { query, type: '', tags: [], scope: '', top_k: RESULTS };
}

function toQueryVector({ query, ...filters }: SearchQuery): VectorQuery {
  return { ...filters, model: EMBEDDER.model.name, vector: encode(query) };
}

function vectorOf(document: SearchDocument): Float32Array {
  return encode(embeddedText(document));
}

function limitPart(
  name: string,
  n: number,
  unit: string,
  value: number,
  maxValue: number,
): Measurement {
  const [goal, met] = [`value < ${maxValue}`, value < maxValue];
  return { name, n, unit, value, baseline: null, ratio: null, cpu_ratio: null, goal, met };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
