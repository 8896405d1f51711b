import { compareBytes } from '../artifact/compare-bytes.ts';

/** A query that has an owner, and the results a search answered to it. */
export interface OwnedQuery {
  /** The artifact that should answer it. */
  owner: string;
  /** The id that came first; null where nothing was found. */
  first: string | null;
}

/** A row of the matrix: who came first when this artifact was asked for. */
export interface FirstsOf {
  id: string;
  queries: number;
  /** How often each id came first, its own among them; the most frequent first. */
  first: { id: string; queries: number }[];
}

/** Which artifacts take each other's queries: a row for every owner, by id. */
export function countFirsts(queries: readonly OwnedQuery[]): FirstsOf[] {
  return [...Map.groupBy(queries, ({ owner }) => owner)]
    .sort(([a], [b]) => compareBytes(a, b))
    .map(([id, own]) => ({ id, queries: own.length, first: tally(own) }));
}

function tally(queries: readonly OwnedQuery[]): FirstsOf['first'] {
  const found = queries.flatMap(({ first }) => (first === null ? [] : [first]));
  return [...Map.groupBy(found, (id) => id)]
    .map(([id, times]) => ({ id, queries: times.length }))
    .sort((a, b) => b.queries - a.queries || compareBytes(a.id, b.id));
}
