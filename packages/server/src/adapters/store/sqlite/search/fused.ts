import type { FusedSearchResult, FusedQuery } from '@catalog/core/ports/vector-index';
import { scoreOf, sumOf } from '@catalog/core/search/bm25';
import { fuse, minLexicalScore } from '@catalog/core/search/fuse';
import { cosineOfSteps } from '@catalog/core/search/round-vector';
import { listMembers } from './browse.ts';
import { keepBest, type Candidate } from './candidates.ts';
import { resolveBestIds } from './resolve-best-ids.ts';
import type { Search } from './rows.ts';
import { readQuery, scoreAll, scoreOne } from './words.ts';
import type { Mirror, VectorMirrors } from '../vectors/mirrors.ts';
import type { KnownModel, StepVector } from '../vectors/rows.ts';
import { listVectorSets, offerMirror } from '../vectors/search.ts';

export interface FusedStepQuery extends Omit<FusedQuery, 'asked'> {
  known: KnownModel;
  asked: StepVector;
}

/**
 * Result of a combined search, or the reason why it needs another attempt: vector sets are not loaded, or do not fit
 * into memory.
 */
export type FusedReading = { kind: 'found'; answer: FusedSearchResult } | VectorsNotReady;

type VectorsNotReady =
  | { kind: 'unread'; known: KnownModel; unread: readonly number[] }
  | { kind: 'too-large' };

/** Computes the score of every match in one pass; ids are looked up only for results. */
export function searchFused(
  search: Search,
  mirrors: VectorMirrors,
  query: FusedStepQuery,
): FusedReading {
  const { known, floor, most_near, top_k } = query;
  const opened = openMirrors(search, mirrors, known);
  if (opened.kind !== 'opened') return opened;
  const { mirrorOf } = opened;
  const near = findNear(search, mirrorOf, query);
  // The words are read after the vector search, which evicts the CPU caches.
  const read = readQuery(search, query);
  const { terms, bound, is_known } = read;
  const best = keepBest(top_k);
  const seen = search.layers.map(() => new Set<number>());
  const wordsOf = (rank: number, number: number): number =>
    scoreOne(read, search.layers[rank] ?? 0, number);
  let alone = 0;
  for (const { sum, rank, number } of near) {
    const score = scoreOf(wordsOf(rank, number));
    const cosine = cosineOfSteps(sum);
    seen[rank]?.add(number);
    if (score === 0 && cosine < floor) continue;
    if (score === 0) alone += 1;
    best.offer(fuse({ score, bound }, { cosine }), rank, number);
  }
  const similarityOf = (rank: number, number: number): number | undefined => {
    const sum = mirrorOf.get(rank)?.multiplyOne(number);
    return sum === undefined ? undefined : cosineOfSteps(sum);
  };
  // All other documents are less similar or have no vector.
  const farthest = Math.max(0, cosineOfSteps(near[most_near - 1]?.sum ?? 0));
  const total = scoreAll(search, read, {
    least: () => sumOf(minLexicalScore(best.least(), farthest, bound)),
    offer(sum, rank, number) {
      if (seen[rank]?.has(number) === true) return;
      const cosine = similarityOf(rank, number) ?? 0;
      best.offer(fuse({ score: scoreOf(sum), bound }, { cosine }), rank, number);
    },
  });
  const named = resolveBestIds(search, best.list(), top_k);
  const hits = named.map(({ layer, id, rank, number, sum: score }) => {
    const lexical = scoreOf(wordsOf(rank, number));
    return { layer, id, score, lexical, similarity: similarityOf(rank, number) };
  });
  const total_matched = total + alone;
  const last = near[most_near - 1];
  const total_estimated = last !== undefined && cosineOfSteps(last.sum) >= floor;
  const counted = { total_matched, total_estimated };
  return { kind: 'found', answer: { hits, terms, bound, is_known, ...counted } };
}

/** Returns the vectors in memory of each layer, by precedence. */
function openMirrors(
  search: Search,
  mirrors: VectorMirrors,
  known: KnownModel,
): { kind: 'opened'; mirrorOf: ReadonlyMap<number, Mirror> } | VectorsNotReady {
  const shelves = listVectorSets(search, known);
  const unread = shelves.map(({ shelf }) => shelf).filter((shelf) => !mirrors.get(shelf));
  if (unread.length > 0) return { kind: 'unread', known, unread };
  const mirrorOf = new Map<number, Mirror>();
  for (const { rank, shelf } of shelves) {
    const mirror = mirrors.get(shelf);
    if (mirror === undefined || mirror === 'too-large') return { kind: 'too-large' };
    mirrorOf.set(rank, mirror);
  }
  return { kind: 'opened', mirrorOf };
}

/** Returns the nearest documents. Ids are looked up only for a tie at the limit. */
function findNear(
  search: Search,
  mirrorOf: ReadonlyMap<number, Mirror>,
  { asked, most_near, ...query }: FusedStepQuery,
): readonly Candidate[] {
  const near = keepBest(most_near);
  const members = listMembers(search, { ...query, query: '' });
  // Higher layers come last: of ties in lower layers, fewer must be kept.
  for (let rank = search.layers.length - 1; rank >= 0; rank -= 1) {
    const mirror = mirrorOf.get(rank);
    const shown = members.find(({ layer }) => layer === search.layers[rank]);
    if (mirror === undefined || shown === undefined) continue;
    mirror.ask(asked);
    offerMirror(mirror, shown, near.least(), (sum, number) => {
      if (shown.has(number)) near.offer(sum, rank, number);
      return near.least();
    });
  }
  const candidates = near.list();
  return candidates.length > most_near ? resolveBestIds(search, candidates, most_near) : candidates;
}
