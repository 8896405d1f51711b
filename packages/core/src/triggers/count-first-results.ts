import { compareBytes } from '../artifact/compare-bytes.ts';

export interface OwnedQuery {
  owner: string;
  first: string | null;
}

export interface FirstResults {
  id: string;
  queries: number;
  /** Number of queries by first result, most frequent first. */
  first: { id: string; queries: number }[];
}

/** Counts the first results of each artifact's queries, which shows artifacts that are confused. */
export function countFirstResults(queries: readonly OwnedQuery[]): FirstResults[] {
  return [...Map.groupBy(queries, ({ owner }) => owner)]
    .sort(([a], [b]) => compareBytes(a, b))
    .map(([id, own]) => ({ id, queries: own.length, first: tally(own) }));
}

function tally(queries: readonly OwnedQuery[]): FirstResults['first'] {
  const found = queries.flatMap(({ first }) => (first === null ? [] : [first]));
  return [...Map.groupBy(found, (id) => id)]
    .map(([id, times]) => ({ id, queries: times.length }))
    .sort((a, b) => b.queries - a.queries || compareBytes(a.id, b.id));
}
