import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { namelessDocument, type SearchSet } from './search-set.ts';

const FILE = join(import.meta.dirname, 'reference/eval-set.json');

interface EvalSet {
  docs: { id: string; text: string }[];
  /** Paraphrases without shared words. */
  queries: EvalQuery[];
  /** Ordinary queries. */
  queries2: EvalQuery[];
}

interface EvalQuery {
  q: string;
  rel: string;
}

/** Reads the two sets that measured the model: `a`, paraphrases, and `a2`, ordinary queries. */
export function readReferenceSets(): [SearchSet, SearchSet] {
  const { docs, queries, queries2 }: EvalSet = JSON.parse(readFileSync(FILE, 'utf8'));
  const documents = docs.map(({ text }, at) => namelessDocument(at, text));
  const numbers = new Map(docs.map(({ id }, at) => [id, documents[at]?.id ?? '']));
  const setOf = (name: string, evalQueries: readonly EvalQuery[]): SearchSet => ({
    name,
    documents,
    queries: evalQueries.map(({ q, rel }) => ({
      query: q,
      relevant: new Set([numbers.get(rel) ?? '']),
    })),
  });
  return [setOf('a', queries), setOf('a2', queries2)];
}
