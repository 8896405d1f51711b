import { METRICS_DEPTH, type RankingMetrics } from '@catalog/core/search/metrics';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { progressBar } from '../../output/progress.ts';
import { alignColumns, count, styled, type Line } from '../../output/text.ts';
import { loadDiscovery } from '../load-discovery.ts';
import type { searchEvalDefinition } from './definition.ts';
import { judgeQuestions, type JudgedQuestion, type Judgement } from './judge-questions.ts';
import { readQuestions } from './read-questions.ts';

type Input = CommandInput<typeof searchEvalDefinition>;

export async function run(
  { flags, arguments: { file } }: Input,
  session: Session,
): Promise<CommandResult> {
  const least = readShare(flags['min-ndcg']);
  const questions = readQuestions(file, session);
  const discovery = await loadDiscovery(session, flags);
  const onProgress = (done: number): void =>
    session.progress(
      `${progressBar(done, questions.length)} Running query ${done} of ${questions.length}`,
    );
  const judged = await judgeQuestions(discovery, questions, onProgress, session.signal);
  const isEnough = least === undefined || judged.all.ndcg >= least;
  return {
    lines: [...toLines(judged), ...(isEnough ? [] : tooLow(judged, least))],
    json: { ...judged, ...(least === undefined ? {} : { min_ndcg: least, passed: isEnough }) },
    exit: isEnough ? 0 : 1,
  };
}

function readShare(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const share = Number(given);
  if (/^(?:0?\.\d+|[01](?:\.\d+)?)$/.test(given) && share <= 1) return share;
  throw usageError(
    `--min-ndcg must be a number from 0 to 1, not ${given}.`,
    'Use `--min-ndcg 0.8`.',
    { command: 'search eval', argument: '--min-ndcg' },
  );
}

const MAX_WORST_QUERIES = 5;

function toLines({ queries, all, kinds, degraded, questions }: Judgement): Line[] {
  const header = ['', 'queries', 'nDCG@10', 'MRR@10', 'recall@10'].map((title): Line => [
    styled('bold', title),
  ]);
  const rows = [
    ...kinds.map(({ kind, queries: own, ...metrics }) => metricsRow(kind, own, metrics)),
    metricsRow('all', queries, all),
  ];
  const worst = questions
    .filter(({ ndcg }) => ndcg < 1)
    .toSorted((a, b) => a.ndcg - b.ndcg)
    .slice(0, MAX_WORST_QUERIES);
  return [
    ...(degraded === 0
      ? []
      : [
          `${count(degraded, 'query', 'queries')} searched by words only: semantic search is unavailable`,
          '',
        ]),
    ...alignColumns([header, ...rows]),
    ...(worst.length === 0 ? [] : ['', 'Worst', ...worst.flatMap(worstLines)]),
  ];
}

function metricsRow(name: string, queries: number, { ndcg, mrr, recall }: RankingMetrics): Line[] {
  return [name, String(queries), ndcg.toFixed(3), mrr.toFixed(3), recall.toFixed(3)];
}

const MAX_IRRELEVANT = 3;

function worstLines({ query, relevant, found }: JudgedQuestion): Line[] {
  const wanted = relevant.map((id) => {
    const place = found.indexOf(id);
    return `${id} (${place === -1 ? `not in the first ${METRICS_DEPTH}` : `result ${place + 1}`})`;
  });
  const above = found.filter((id) => !relevant.includes(id)).slice(0, MAX_IRRELEVANT);
  return [
    `  "${query}": expected ${wanted.join(', ')}`,
    ...(above.length === 0 ? [] : [`    instead: ${above.join(', ')}`]),
  ];
}

function tooLow({ all }: Judgement, least: number): Line[] {
  return [
    '',
    `nDCG@10 is ${all.ndcg.toFixed(3)}, below ${least}.`,
    'Next: to find out why an artifact is missing, run `catalog why search <id> "<query>"`.',
  ];
}
