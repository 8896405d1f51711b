import type { Discovery } from '@catalog/consumer/discover/discovery';
import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import {
  judgeRanking,
  meanMetrics,
  METRICS_DEPTH,
  type RankingMetrics,
} from '@catalog/core/search/metrics';
import type { Question } from './read-questions.ts';

export interface JudgedQuestion extends Question, RankingMetrics {
  found: string[];
}

/** Averages over all queries with equal weight. */
export interface Judgement {
  queries: number;
  all: RankingMetrics;
  kinds: (RankingMetrics & { kind: string; queries: number })[];
  /** Number of queries with results by words only, because the vector search was unavailable. */
  degraded: number;
  questions: JudgedQuestion[];
}

export async function judgeQuestions(
  discovery: Discovery,
  questions: readonly Question[],
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<Judgement> {
  const judged: JudgedQuestion[] = [];
  let degraded = 0;
  for (const question of questions) {
    const { query, relevant } = question;
    const answer = await discovery.searchArtifacts({ query, top_k: METRICS_DEPTH }, signal);
    if (answer.degraded === true) degraded += 1;
    const found = answer.results.map(({ id }) => id);
    judged.push({ ...question, ...judgeRanking(found, new Set(relevant)), found });
    onProgress(judged.length);
  }
  const kinds = [...Map.groupBy(judged, ({ kind = '' }) => kind)].filter(([kind]) => kind !== '');
  return {
    queries: judged.length,
    all: meanMetrics(judged),
    kinds: kinds
      .map(([kind, own]) => ({ kind, queries: own.length, ...meanMetrics(own) }))
      .sort((a, b) => compareBytes(a.kind, b.kind)),
    degraded,
    questions: judged,
  };
}
