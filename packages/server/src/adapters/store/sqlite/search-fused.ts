import type { FusedAnswer, FusedQuery } from '@catalog/core/ports/vector-index';
import { scoreOf, sumOf } from '@catalog/core/search/bm25';
import { fuse, leastWords } from '@catalog/core/search/fuse';
import { cosineOfSteps } from '@catalog/core/search/round-vector';
import { listMembers } from './search-browse.ts';
import { keepBest, type Candidate } from './search-candidates.ts';
import { nameBest } from './search-names.ts';
import { numberAt, placeOf, STRETCH_SIZE, stretchOf } from './search-postings.ts';
import type { Search } from './search-rows.ts';
import { readQuery, scoreAll, type Scorer } from './search-words.ts';
import type { Mirror, VectorMirrors } from './vector-mirrors.ts';
import type { KnownModel, StepVector } from './vector-rows.ts';
import { listShelves, offerMirror } from './vector-search.ts';

/** A question in whole steps. */
export interface FusedAsking extends Omit<FusedQuery, 'asked'> {
  known: KnownModel;
  asked: StepVector;
}

/** What was found; or which shelves have to be read before; or that memory has no room for one. */
export type FusedReading =
  | { kind: 'found'; answer: FusedAnswer }
  | { kind: 'unread'; known: KnownModel; unread: readonly number[] }
  | { kind: 'too-large' };

/**
 * Both arms in one pass. Each document that can be among the best gets its score at once, and only what
 * is shown has to be named.
 */
export function searchFused(
  search: Search,
  mirrors: VectorMirrors,
  query: FusedAsking,
): FusedReading {
  const { known, floor, most_near, top_k } = query;
  const shelves = listShelves(search, known);
  const unread = shelves.map(({ shelf }) => shelf).filter((shelf) => !mirrors.get(shelf));
  if (unread.length > 0) return { kind: 'unread', known, unread };
  const mirrorOf = new Map<number, Mirror>();
  for (const { rank, shelf } of shelves) {
    const mirror = mirrors.get(shelf);
    if (mirror === undefined || mirror === 'too-large') return { kind: 'too-large' };
    mirrorOf.set(rank, mirror);
  }
  const read = readQuery(search, query);
  const { terms, bound } = read;
  const words = openWordSums(search.layers.length);
  const total = scoreAll(search, read, words);
  const near = findNear(search, mirrorOf, query);
  const best = keepBest(top_k);
  const alone = near.filter(
    ({ sum, rank, number }) => words.get(rank, number) === 0 && cosineOfSteps(sum) >= floor,
  );
  for (const { sum, rank, number } of alone) {
    best.offer(fuse({ score: 0, bound }, { cosine: cosineOfSteps(sum) }), rank, number);
  }
  for (const { sum, rank, number } of near) {
    const score = scoreOf(words.take(rank, number));
    if (score > 0) best.offer(fuse({ score, bound }, { cosine: cosineOfSteps(sum) }), rank, number);
  }
  // What is not among the nearest is no nearer than the last of them, and as near as nothing without a vector.
  const farthest = Math.max(0, cosineOfSteps(near[most_near - 1]?.sum ?? 0));
  const similarityOf = (rank: number, number: number): number | undefined => {
    const sum = mirrorOf.get(rank)?.multiplyOne(number);
    return sum === undefined ? undefined : cosineOfSteps(sum);
  };
  const leastSum = (): number => sumOf(leastWords(best.least(), farthest, bound));
  words.rest(leastSum, (sum, rank, number) => {
    const cosine = similarityOf(rank, number) ?? 0;
    best.offer(fuse({ score: scoreOf(sum), bound }, { cosine }), rank, number);
  });
  const named = nameBest(search, best.list(), top_k);
  const hits = named.map(({ layer, id, rank, number, sum: score }) => {
    const lexical = scoreOf(words.get(rank, number));
    return { layer, id, score, lexical, similarity: similarityOf(rank, number) };
  });
  const total_matched = total + alone.length;
  return { kind: 'found', answer: { hits, terms, bound, total_matched, total_estimated: false } };
}

/** The nearest, the nearest first. They are named only where nothing but ids tells the last from its equals. */
function findNear(
  search: Search,
  mirrorOf: ReadonlyMap<number, Mirror>,
  { asked, most_near, ...query }: FusedAsking,
): readonly Candidate[] {
  const near = keepBest(most_near);
  const members = listMembers(search, { ...query, query: '' });
  // From the highest layer down: of equals in lower ones fewer have to be kept.
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
  return candidates.length > most_near ? nameBest(search, candidates, most_near) : candidates;
}

/** What the words of each document come to. */
interface WordSums extends Required<Scorer> {
  /** 0 for a document that has none of the words. */
  get(rank: number, number: number): number;
  /** The same, and that it need not be told of again. */
  take(rank: number, number: number): number;
  /** Tells of those that were not taken and have at least as much, which may rise meanwhile. */
  rest(least: () => number, tell: (sum: number, rank: number, number: number) => void): void;
}

/** The sum of every place of a stretch, and the largest. */
interface StretchSums {
  most: number;
  places: Float64Array;
}

/** Told first, so that most of the others can be passed over. */
const TOLD_FIRST = 100;

/** Taken ones are kept below zero. */
function openWordSums(layers: number): WordSums {
  const kept = Array.from({ length: layers }, () => new Map<number, StretchSums>());
  const first = keepBest(TOLD_FIRST);
  let most = 0;
  const placesOf = (rank: number, number: number): Float64Array | undefined =>
    kept[rank]?.get(stretchOf(number))?.places;

  function take(rank: number, number: number): number {
    const places = placesOf(rank, number);
    const sum = places?.[placeOf(number)] ?? 0;
    if (places === undefined || sum <= 0) return 0;
    places[placeOf(number)] = -sum;
    return sum;
  }

  return {
    offer(sum, rank, number) {
      if (sum > most) most = sum;
      if (sum > first.least()) first.offer(sum, rank, number);
    },
    keep(rank, stretch, sums) {
      kept[rank]?.set(stretch, { most, places: sums.slice() });
      most = 0;
    },
    get: (rank, number) => Math.abs(placesOf(rank, number)?.[placeOf(number)] ?? 0),
    take,
    rest(least, tell) {
      for (const { rank, number } of first.list()) {
        const sum = take(rank, number);
        if (sum > 0) tell(sum, rank, number);
      }
      let enough = Math.max(least(), Number.MIN_VALUE);
      for (const [rank, stretches] of kept.entries()) {
        for (const [stretch, { most: most_here, places }] of stretches) {
          if (most_here < enough) continue;
          for (let place = 0; place < STRETCH_SIZE; place += 1) {
            const sum = places[place] ?? 0;
            if (sum < enough) continue;
            tell(sum, rank, numberAt(stretch, place));
            enough = Math.max(least(), Number.MIN_VALUE);
          }
        }
      }
    },
  };
}
