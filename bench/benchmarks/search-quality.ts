import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { judgeRanking, meanMetrics, type RankingMetrics } from '@catalog/core/search/metrics';
import {
  measurementOfFailures,
  resultOfParts,
  type Benchmark,
  type Measurement,
} from '../benchmark.ts';
import { withDatabase } from '../with-database.ts';
import {
  BASELINE_METHODS,
  rankWithBaselines,
  type BaselineMethod,
} from '../search-sets/bare-rankings.ts';
import { makeHeldOutSet } from '../search-sets/held-out-set.ts';
import { readOwnSets } from '../search-sets/own-set.ts';
import { readReferenceSets } from '../search-sets/reference-sets.ts';
import type { SearchSet } from '../search-sets/search-set.ts';
import { searchWithRegistry } from '../search-sets/search-with-registry.ts';

/** Minimum nDCG@10 of a set. */
const MIN_NDCG: Readonly<Record<string, number>> = { a: 0.39, a2: 0.93, 'held-out': 0.79 };
/** Minimum gain in nDCG@10 over a search by words, for our own set. */
const MIN_GAIN: Readonly<Record<string, number>> = { own: 0.05 };

/** nDCG@10 of all-MiniLM-L6-v2, from which the shipped model was derived, measured at that time. */
const MINI_LM: Readonly<Record<string, { alone: number; rrf: number; sum: number }>> = {
  a: { alone: 0.593, rrf: 0.406, sum: 0.563 },
  a2: { alone: 0.974, rrf: 0.927, sum: 0.965 },
  'held-out': { alone: 0.79, rrf: 0.83, sum: 0.851 },
};

export const searchQuality: Benchmark = {
  name: 'search-quality',
  summary:
    'Relevance of `search_artifacts` with default settings, on SQLite and PostgreSQL: nDCG@10 on four query sets, compared with search by words alone.',
  is_exact: true,
  servers: true,
  n: 2_000,
  small_n: 100,
  run: async ({ n, folder }) => {
    const collections = [readReferenceSets(), [await makeHeldOutSet(n)], readOwnSets()];
    const judged: JudgedSet[] = [];
    let [queryCount, differing] = [0, 0];
    for (const [at, sets] of collections.entries()) {
      const answers = await queryEngines(join(folder, String(at)), sets);
      queryCount += answers.sqlite.size;
      differing += countDifferences(answers);
      judged.push(...sets.map((set) => judgeSet(set, answers)));
    }
    return resultOfParts(
      'search-quality',
      [
        ...judged.flatMap(partsOf),
        measurementOfFailures('search-quality-engines', queryCount, differing),
      ],
      [
        'nDCG@10 / MRR@10 / recall@10; baseline: BM25 alone, of every document',
        'a, a2: the sets the model was measured with; held-out: titles of Debian packages against long descriptions, none of them in its training; own: written before any result was seen, nothing is tuned on it',
        'engines: queries that SQLite and PostgreSQL answer differently',
        ...judged.map(noteOf),
      ],
    );
  },
};

const ENGINES = ['sqlite', 'postgres'] as const;
type Engine = (typeof ENGINES)[number];
type Answers = Record<Engine, ReadonlyMap<string, readonly string[]>>;

async function queryEngines(folder: string, sets: readonly SearchSet[]): Promise<Answers> {
  const documents = sets[0]?.documents ?? [];
  const queries = new Set(sets.flatMap((set) => set.queries.map(({ query }) => query)));
  const ask = (engine: Engine, env?: Readonly<Record<string, string>>) => {
    const place = join(folder, engine);
    mkdirSync(place, { recursive: true });
    return searchWithRegistry(place, documents, queries, env);
  };
  return {
    sqlite: await ask('sqlite'),
    postgres: await withDatabase((env) => ask('postgres', env)),
  };
}

function countDifferences({ sqlite, postgres }: Answers): number {
  return [...sqlite].filter(([query, ids]) => ids.join() !== postgres.get(query)?.join()).length;
}

interface JudgedSet {
  set: SearchSet;
  served: Record<Engine, RankingMetrics>;
  bare: Record<BaselineMethod, RankingMetrics>;
}

function judgeSet(set: SearchSet, answers: Answers): JudgedSet {
  const judge = (rankings: readonly (readonly string[])[]): RankingMetrics =>
    meanMetrics(set.queries.map(({ relevant }, at) => judgeRanking(rankings[at] ?? [], relevant)));
  const served = (engine: Engine): RankingMetrics =>
    judge(set.queries.map(({ query }) => answers[engine].get(query) ?? []));
  const ranked = rankWithBaselines(set);
  return {
    set,
    served: { sqlite: served('sqlite'), postgres: served('postgres') },
    bare: {
      bm25: judge(ranked.bm25),
      vectors: judge(ranked.vectors),
      rrf: judge(ranked.rrf),
      sum: judge(ranked.sum),
    },
  };
}

function partsOf({ set, served, bare }: JudgedSet): Measurement[] {
  const baseline = bare.bm25.ndcg;
  const gain = MIN_GAIN[set.name];
  const least = MIN_NDCG[set.name] ?? (gain === undefined ? undefined : baseline + gain);
  if (least === undefined) return [];
  return ENGINES.map((engine) => ({
    name: `search-quality-${set.name}-${engine}`,
    value: served[engine].ndcg,
    unit: 'nDCG@10',
    baseline,
    ratio: null,
    cpu_ratio: null,
    n: set.queries.length,
    goal: gain === undefined ? `value >= ${least}` : `value >= baseline + ${gain}`,
    met: served[engine].ndcg >= least,
  }));
}

function noteOf({ set, served, bare }: JudgedSet): string {
  const rows = [
    ...ENGINES.map((engine) => `${engine} ${textOf(served[engine])}`),
    ...BASELINE_METHODS.map((way) => `${way} ${textOf(bare[way])}`),
  ];
  const other = MINI_LM[set.name];
  if (other !== undefined) {
    rows.push(
      `MiniLM when the model was made ${other.alone}, with BM25 by rrf ${other.rrf}, by sum ${other.sum}`,
    );
  }
  const size = `${set.queries.length} queries, ${set.documents.length} documents`;
  return `${set.name} (${size}): ${rows.join('; ')}`;
}

function textOf({ ndcg, mrr, recall }: RankingMetrics): string {
  return [ndcg, mrr, recall].map((value) => value.toFixed(3)).join(' / ');
}
