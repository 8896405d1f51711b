import type { Store } from '@catalog/core/ports/store';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { openPostgresStore } from '@catalog/server/adapters/store/postgres/open-store';
import { searchReads } from '@catalog/server/adapters/store/postgres/search/search';
import { vectorIndex } from '@catalog/server/adapters/store/postgres/vectors/vectors';
import { seededRandom } from '../../tools/seeded-random.ts';
import { openExactViews, type ExactViews } from '../baselines/exact-views.ts';
import { resultOfParts, type Benchmark, type Measurement } from '../benchmark.ts';
import { loadCatalog, type CatalogModel } from '../fixtures/pg-catalog.ts';
import { BENCH_MODEL, loadVectors, modelVectors, queryVector } from '../fixtures/pg-vectors.ts';
import { makeQueries, type QueryKind } from '../fixtures/search-queries.ts';
import { limitPart, ratioPart, recallPart, timeTurns, type Times } from '../pg-search/compare.ts';
import { openBare, type BareConnection, type Statement } from '../pg-search/replay.ts';

const MAX_RATIO = 1.3;
const MIN_RECALL = 0.95;
const RESULTS = 10;
const REQUESTS = 250;
/** With fewer artifacts, the run is only a smoke test. */
const MIN_MEASURED_SIZE = 100_000;
const SMOKE_REQUESTS = 25;
const FULL_SIZE = 1_000_000;
const VECTOR_QUERIES = 25;

/** Goals by query kind: the p99 at full size for the views of that measurement. */
const DESIGNED_MS: Record<QueryKind | 'vectors', Readonly<Record<string, number>>> = {
  rare: { '60': 6.6 },
  common: { '60': 20 },
  three: { '60': 30 },
  sentence: { '60': 36, '30': 49, '5': 34 },
  vectors: { '60': 22, '5': 20, '1': 12.8 },
};

export const pgSearch: Benchmark = {
  name: 'pg-search',
  summary:
    'Searches in PostgreSQL for callers who see 60, 30, 5 and 1 of 60 layers, through the store, compared with the same statements sent by the driver alone. Measures searches by words and by vectors, and their recall against the exact order.',
  servers: true,
  page_parts: /-60-[a-z]+-(?:p99|recall)$/,
  n: FULL_SIZE,
  small_n: 1_000,
  run: async ({ n, seed }) => {
    const benchCatalog = await loadCatalog({ n, seed }, printProgress('artifacts', n));
    await loadVectors(benchCatalog, seed, printProgress('vectors', n));
    const { dsn } = benchCatalog.database;
    const store = await openPostgresStore({ dsn, pool_size: 1 });
    const bare = await openBare(dsn);
    try {
      const bench: Bench = { catalog: benchCatalog, store, bare, n, seed };
      const measured = [...(await measureWords(bench)), ...(await measureVectors(bench))];
      const parts = measured.flatMap((each) => each.parts);
      return resultOfParts('pg-search', parts, [
        'baseline: the same statements, prepared on a node-postgres connection, alternating',
        'p50 / p99 of both in ms, CPU of the database for one baseline search, pages read by its last statement:',
        ...measured.map(({ note }) => note),
      ]);
    } finally {
      await store.close();
      await bare.close();
    }
  },
};

interface Bench {
  catalog: CatalogModel;
  store: Store;
  bare: BareConnection;
  n: number;
  seed: string;
}

interface Measured {
  parts: Measurement[];
  note: string;
}

function printProgress(what: string, n: number): (loaded: number) => void {
  let reported = 0;
  return (loaded) => {
    if (loaded - reported < n / 20) return;
    reported = loaded;
    process.stderr.write(`${loaded} of ${n} ${what}\n`);
  };
}

function listViews({ layers }: CatalogModel): Map<string, number[]> {
  const bySize = layers.toSorted((a, b) => b.size - a.size);
  const numbers = (some: typeof bySize): number[] =>
    some.map(({ number }) => number).sort((a, b) => a - b);
  const mixed = [0, 10, 20, 30, 40]
    .map((place) => bySize[place])
    .filter((layer) => layer !== undefined);
  return new Map([
    ['60', numbers(bySize)],
    ['30', numbers(bySize.filter((_, place) => place % 2 === 0))],
    ['5', numbers(mixed)],
    ['1', numbers(bySize.slice(0, 1))],
  ]);
}

async function measureWords(bench: Bench): Promise<Measured[]> {
  const queries = makeQueries(bench.catalog, bench.seed);
  const exact = openExactViews(bench.catalog, Object.values(queries).flat());
  const measured: Measured[] = [];
  for (const [view, layers] of listViews(bench.catalog)) {
    for (const kind of ['rare', 'common', 'three', 'sentence'] as const) {
      measured.push(
        await measureKind(bench, exact, { view, layers, kind, queries: queries[kind] }),
      );
    }
  }
  return measured;
}

async function measureKind(
  bench: Bench,
  exact: ExactViews,
  {
    view,
    layers,
    kind,
    queries,
  }: { view: string; layers: number[]; kind: QueryKind; queries: string[] },
): Promise<Measured> {
  const { store, bare, n } = bench;
  const name = `pg-search-${view}-${kind}`;
  const searchQueries = queries.map((query) => ({
    query,
    type: '',
    tags: [],
    scope: '',
    top_k: RESULTS,
  }));
  const found = [];
  for (const query of searchQueries) {
    const { hits } = await store.search.search(ONLY_TENANT, layers, query);
    found.push(exact.recall(layers, query.query, hits, RESULTS));
  }
  const recorded: Statement[][] = [];
  for (const query of searchQueries) {
    recorded.push(
      await bare.record((run) => searchReads({ run }).search(ONLY_TENANT, layers, query)),
    );
  }
  const times = await measureTurns(
    bench,
    searchQueries.map((query) => () => store.search.search(ONLY_TENANT, layers, query)),
    recorded,
  );
  return {
    parts: [
      ...timeParts(name, n, times),
      recallPart(`${name}-recall`, n, mean(found), MIN_RECALL),
      ...designParts(name, n, times.baseline.p99, DESIGNED_MS[kind][view]),
    ],
    note: noteOf(`${view} layers, ${kind}`, times),
  };
}

async function measureVectors(bench: Bench): Promise<Measured[]> {
  const { catalog: benchCatalog, n, seed } = bench;
  const random = seededRandom(`vector queries ${seed}`);
  const vectorAt = modelVectors(n, seed);
  const vectors = Array.from({ length: VECTOR_QUERIES }, () =>
    queryVector(vectorAt(random.int(n)), random),
  );
  const measured: Measured[] = [];
  for (const [view, layers] of listViews(benchCatalog)) {
    measured.push(await measureVectorView(bench, view, layers, vectors));
  }
  return measured;
}

async function measureVectorView(
  bench: Bench,
  view: string,
  layers: number[],
  vectors: readonly Float32Array[],
): Promise<Measured> {
  const { store, bare, n } = bench;
  const name = `pg-search-${view}-vectors`;
  const searchQueries = vectors.map((vector) => ({
    model: BENCH_MODEL.name,
    vector,
    type: '',
    tags: [],
    scope: '',
    top_k: RESULTS,
  }));
  const found: number[] = [];
  const recorded: Statement[][] = [];
  for (const query of searchQueries) {
    const exactly: Awaited<ReturnType<typeof store.vectors.searchVectors>> = [];
    await bare.record(async (run) => {
      const index = vectorIndex(run, run, Infinity);
      exactly.push(...(await index.searchVectors(ONLY_TENANT, layers, query)));
    });
    const hits = await store.vectors.searchVectors(ONLY_TENANT, layers, query);
    const least = exactly.at(-1)?.similarity ?? 0;
    found.push(hits.filter(({ similarity }) => similarity >= least).length / exactly.length);
    // The number of a model is known only after its first search.
    recorded.push(
      (
        await bare.record((run) => vectorIndex(run, run).searchVectors(ONLY_TENANT, layers, query))
      ).slice(1),
    );
  }
  const times = await measureTurns(
    bench,
    searchQueries.map((query) => () => store.vectors.searchVectors(ONLY_TENANT, layers, query)),
    recorded,
  );
  return {
    parts: [
      ...timeParts(name, n, times),
      recallPart(`${name}-recall`, n, mean(found), MIN_RECALL),
      ...designParts(name, n, times.baseline.p99, DESIGNED_MS.vectors[view]),
    ],
    note: noteOf(`${view} layers, vectors`, times),
  };
}

interface Compared {
  subject: Times;
  baseline: Times;
  cpu_ms: number;
  buffers: number;
}

/** Measures the server's cost per search separately, so that it affects neither side. */
async function measureTurns(
  { bare, n }: Bench,
  asks: readonly (() => Promise<unknown>)[],
  recorded: readonly Statement[][],
): Promise<Compared> {
  const turns = asks.map((subject, at) => ({
    subject,
    baseline: () => bare.replay(recorded[at] ?? []),
  }));
  const times = await timeTurns(turns, n < MIN_MEASURED_SIZE ? SMOKE_REQUESTS : REQUESTS);
  const before = bare.cpuMs();
  for (const statements of recorded) await bare.replay(statements);
  const cpu_ms = (bare.cpuMs() - before) / recorded.length;
  const last = recorded[0]?.at(-1);
  return { ...times, cpu_ms, buffers: last === undefined ? 0 : await bare.countBuffers(last) };
}

function timeParts(name: string, n: number, { subject, baseline }: Compared): Measurement[] {
  return [
    ratioPart(`${name}-p50`, n, subject.p50, baseline.p50, MAX_RATIO),
    ratioPart(`${name}-p99`, n, subject.p99, baseline.p99, MAX_RATIO),
  ];
}

function designParts(name: string, n: number, p99: number, designed?: number): Measurement[] {
  return n === FULL_SIZE && designed !== undefined
    ? [limitPart(`${name}-bare`, n, p99, designed)]
    : [];
}

function noteOf(name: string, { subject, baseline, cpu_ms, buffers }: Compared): string {
  const text = ({ p50, p99 }: Times): string => `${p50.toFixed(1)} / ${p99.toFixed(1)}`;
  return `${name}: ${text(subject)}; bare ${text(baseline)}; CPU ${cpu_ms.toFixed(1)} ms; ${buffers} pages`;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
