import { join } from 'node:path';
import type { Store } from '@catalog/core/ports/store';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { hybridSearch, type HybridSearchResult } from '@catalog/core/search/hybrid-search';
import { openPostgresStore } from '@catalog/server/adapters/store/postgres/open-store';
import { openSqliteStore } from '@catalog/server/adapters/store/sqlite/open-store';
import {
  measurementOfFailures,
  resultOfParts,
  type Measurement,
} from '../../../bench/benchmark.ts';
import { BENCH_MODEL } from '../../../bench/fixtures/pg-vectors.ts';
import {
  dropBenchDatabase,
  openKeptDatabase,
  query as queryAs,
} from '../../../bench/pg-database.ts';
import { recallPart } from '../../../bench/pg-search/compare.ts';
import { singleRun } from '../single-run.ts';
import { openOracle, type Expected, type Oracle } from './oracle.ts';
import { makeQuestions, type Question } from './questions.ts';
import { makeWorld, storeWorld, type World } from './world.ts';

const ARTIFACTS_EACH = 2;
const GRAPH_ARTIFACTS_EACH = 12;
/** The graph searches views with more than this share of the artifacts; 60,000 at the full size. */
const COMPARED_SHARE = 0.5;
/** One query in this many uses the graph, because the oracle reads six times as many artifacts. */
const GRAPH_QUESTIONS = 10;
const FLOOR = 0.35;
const MIN_RECALL = 0.95;
const MIN_FIRST_SHARE = 0.98;
const BEST = 10;
const CONCURRENCY = 4;
const DATABASE = 'catalog_bench_views';

export const searchViews = singleRun({
  name: 'search-views',
  summary:
    'Compares hybrid searches of callers with random views, in SQLite and PostgreSQL, with an exhaustive search. Results must be equal to the last digit where vectors are compared exhaustively. With the HNSW graph, no hidden artifact may appear, and the recall is measured.',
  servers: true,
  n: 10_000,
  small_n: 100,
  run: async ({ n, seed, folder }) => {
    const world = makeWorld(n * ARTIFACTS_EACH, seed);
    const oracle = openOracle(world);
    const questions = makeQuestions(world, { n, seed, least: 1 });
    const expected = questions.map((question) => oracle.answer(question, FLOOR));
    const sqlite = await withSqlite(folder, (store) =>
      compareAll(store, world, questions, expected),
    );
    const postgres = await withPostgres(undefined, (store) =>
      compareAll(store, world, questions, expected),
    );
    const graph = await measureGraph(n, seed);
    return resultOfParts(
      'search-views',
      [
        measurementOfFailures('search-views-sqlite', n, sqlite.length),
        measurementOfFailures('search-views-postgres', n, postgres.length),
        ...graph,
      ],
      [
        `${world.artifacts.length} artifacts in ${world.layers.length} layers; one in five has the id of one in another layer`,
        `baseline: every artifact of the world, ordered by the definition`,
        ...[...sqlite, ...postgres].slice(0, 3).map((difference) => `differs: ${difference}`),
      ],
    );
  },
});

async function withSqlite<Result>(
  folder: string,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openSqliteStore({ path: join(folder, 'views.db') });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function withPostgres<Result>(
  max_compared: number | undefined,
  work: (store: Store, owner_dsn: string) => Promise<Result>,
): Promise<Result> {
  await dropBenchDatabase(DATABASE);
  const { dsn, owner_dsn } = await openKeptDatabase(DATABASE);
  const store = await openPostgresStore({
    dsn,
    statement_timeout_ms: 0,
    ...(max_compared === undefined ? {} : { most_compared: max_compared }),
  });
  try {
    return await work(store, owner_dsn);
  } finally {
    await store.close();
    await dropBenchDatabase(DATABASE);
  }
}

function search(store: Store, { layers, query, vector }: Question): Promise<HybridSearchResult> {
  const meaning = {
    model: BENCH_MODEL.name,
    vector,
    floor: FLOOR,
    least_nearest: 0,
    fusion: 'cosine',
  } as const;
  return hybridSearch(
    {
      search: store.search,
      vectors: store.vectors,
      ask: async () => meaning,
      onFailure(cause) {
        throw cause;
      },
    },
    ONLY_TENANT,
    layers,
    query,
  );
}

async function runQueries(
  store: Store,
  questions: readonly Question[],
  onAnswer: (answer: HybridSearchResult, at: number) => void,
): Promise<void> {
  let next = 0;
  const ask = async (): Promise<void> => {
    for (;;) {
      const at = next;
      next += 1;
      const question = questions[at];
      if (question === undefined) return;
      onAnswer(await search(store, question), at);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, ask));
}

async function compareAll(
  store: Store,
  world: World,
  questions: readonly Question[],
  expected: readonly Expected[],
): Promise<string[]> {
  await storeWorld(store, world);
  const differences: string[] = [];
  await runQueries(store, questions, ({ hits, total_matched, total_estimated }, at) => {
    const right = expected[at];
    const total = total_estimated ? right?.total_matched : total_matched;
    const found = JSON.stringify({ hits, total_matched: total });
    if (found === JSON.stringify(right)) return;
    const { query, layers } = questions[at] ?? {};
    differences.push(
      `${JSON.stringify({ query, layers })}: ${found}, not ${JSON.stringify(right)}`,
    );
  });
  return differences;
}

async function measureGraph(n: number, seed: string): Promise<Measurement[]> {
  const artifacts = n * GRAPH_ARTIFACTS_EACH;
  const max_compared = artifacts * COMPARED_SHARE;
  const world = makeWorld(artifacts, `${seed} graph`);
  const oracle = openOracle(world);
  const questionCount = Math.ceil(n / GRAPH_QUESTIONS);
  const least = max_compared * 1.1;
  const questions = makeQuestions(world, { n: questionCount, seed: `${seed} graph`, least });
  const expected = questions.map((question) => oracle.answer(question, FLOOR));
  return withPostgres(max_compared, async (store, owner_dsn) => {
    await storeWorld(store, world);
    await queryAs(owner_dsn, 'VACUUM (ANALYZE)');
    return judgeAll(store, { oracle, questions, expected }, artifacts);
  });
}

interface Exam {
  oracle: Oracle;
  questions: readonly Question[];
  expected: readonly Expected[];
}

async function judgeAll(
  store: Store,
  { oracle, questions, expected }: Exam,
  artifacts: number,
): Promise<Measurement[]> {
  let hidden = 0;
  let firsts = 0;
  let recalls = 0;
  await runQueries(store, questions, ({ hits }, at) => {
    const question = questions[at];
    if (question === undefined) return;
    hidden += hits.filter((hit) => !oracle.mayShow(question, hit)).length;
    const best = (expected[at]?.hits ?? []).slice(0, BEST);
    const [first] = best;
    const least = best.at(-1)?.score ?? 0;
    const right = hits.slice(0, best.length).filter(({ score }) => score >= least);
    recalls += best.length === 0 ? 1 : right.length / best.length;
    const isThere = hits.some(({ layer, id }) => layer === first?.layer && id === first.id);
    firsts += Number(first === undefined || isThere);
  });
  const { length } = questions;
  return [
    measurementOfFailures('search-views-hidden', artifacts, hidden),
    recallPart('search-views-recall', artifacts, recalls / length, MIN_RECALL),
    {
      ...recallPart('search-views-first', artifacts, firsts / length, MIN_FIRST_SHARE),
      unit: 'of answers with the best',
    },
  ];
}
