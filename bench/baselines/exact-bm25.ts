import type { SearchDocument } from '@catalog/core/ports/search-index';
import { queryTerms } from '@catalog/core/search/query-terms';
import { tokenize } from '@catalog/core/search/tokenize';

const K1 = 1.2;
const B = 0.75;
const AVERAGE_LENGTH = 32;

/** The documents that have a term: where they come in the order given, and what it counts in each. */
export interface ExactPostings {
  places: number[];
  quotients: number[];
}

/**
 * BM25 as the books have it, over every document, in plain floating point: nothing is cut, rounded or
 * skipped. Answers for each query the score of every document that has any.
 */
export function scoreExactly(
  documents: readonly SearchDocument[],
  queries: readonly string[],
): Map<string, Map<string, number>> {
  const asked = new Map(queries.map((query) => [query, queryTerms(query)]));
  const postings = collectPostings(documents, new Set([...asked.values()].flat()));
  const scores = new Map<string, Map<string, number>>();
  for (const [query, terms] of asked) {
    const sums = new Map<string, number>();
    for (const term of terms) {
      const { places, quotients } = postings.get(term) ?? NO_POSTINGS;
      const rarity = rarityExactly(documents.length, places.length);
      places.forEach((place, at) => {
        const id = documents[place]?.id ?? '';
        sums.set(id, (sums.get(id) ?? 0) + rarity * (quotients[at] ?? 0));
      });
    }
    scores.set(query, sums);
  }
  return scores;
}

const NO_POSTINGS: ExactPostings = { places: [], quotients: [] };

export function rarityExactly(documents: number, holders: number): number {
  return Math.log(1 + (documents - holders + 0.5) / (holders + 0.5));
}

/** The postings of some terms in any number of documents, which are looked at once. */
export function collectPostings(
  documents: Iterable<SearchDocument>,
  wanted: ReadonlySet<string>,
): Map<string, ExactPostings> {
  const postings = new Map<string, ExactPostings>();
  let place = 0;
  for (const document of documents) {
    const { frequencies, length } = countTerms(document, wanted);
    const damping = K1 * (1 - B + (B * length) / AVERAGE_LENGTH);
    for (const [term, frequency] of frequencies) {
      const known = postings.get(term) ?? { places: [], quotients: [] };
      postings.set(term, known);
      known.places.push(place);
      known.quotients.push((frequency * (K1 + 1)) / (frequency + damping));
    }
    place += 1;
  }
  return postings;
}

function countTerms(
  { name, tags, description, when_to_use, id }: SearchDocument,
  wanted: ReadonlySet<string>,
): { frequencies: Map<string, number>; length: number } {
  const frequencies = new Map<string, number>();
  let length = 0;
  const parts: [text: string, weight: number][] = [
    [name, 3],
    [tags.join('\n'), 2],
    [description, 1],
    [when_to_use.join('\n'), 1],
    [id, 1],
  ];
  for (const [text, weight] of parts) {
    for (const token of tokenize(text, 'document')) {
      length += token.length;
      for (const term of token.terms) {
        if (wanted.has(term)) frequencies.set(term, (frequencies.get(term) ?? 0) + weight);
      }
    }
  }
  return { frequencies, length };
}

/** The share of the best `depth` that was found; of equals at the end of the list, any will do. */
export function recallOf(
  scores: ReadonlyMap<string, number>,
  found: readonly string[],
  depth: number,
): number {
  const best = [...scores.values()].sort((a, b) => b - a).slice(0, depth);
  const least = best.at(-1);
  if (least === undefined) return 1;
  const rounding = 1e-9;
  const right = found.slice(0, depth).filter((id) => (scores.get(id) ?? 0) >= least - rounding);
  return right.length / best.length;
}
