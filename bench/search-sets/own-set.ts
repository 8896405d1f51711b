import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SearchDocument } from '@catalog/core/ports/search-index';
import type { SearchSet } from './search-set.ts';

const FOLDER = join(import.meta.dirname, 'own');

/** A line of `artifacts.jsonl`. */
export interface OwnArtifact {
  id: string;
  type: string;
  tags: string[];
  description: string;
  when_to_use?: string[];
}

/** A line of `queries.jsonl`. */
export interface OwnQuery {
  kind: 'ordinary' | 'paraphrase';
  query: string;
  relevant: string[];
}

export function readOwnArtifacts(): OwnArtifact[] {
  return readLines<OwnArtifact>('artifacts.jsonl');
}

export function readOwnQueries(): OwnQuery[] {
  return readLines<OwnQuery>('queries.jsonl');
}

export function readOwnSets(): [SearchSet, ...SearchSet[]] {
  const documents = readOwnArtifacts().map(
    ({ id, type, tags, description, when_to_use = [] }): SearchDocument => {
      const name = id.slice(id.lastIndexOf('/') + 1);
      return { id, type, tags, name, description, when_to_use };
    },
  );
  const queries = readOwnQueries();
  const setOf = (name: string, ownQueries: readonly OwnQuery[]): SearchSet => ({
    name,
    documents,
    queries: ownQueries.map(({ query, relevant }) => ({ query, relevant: new Set(relevant) })),
  });
  return [
    setOf('own', queries),
    ...(['ordinary', 'paraphrase'] as const).map((kind) =>
      setOf(
        `own-${kind}`,
        queries.filter((query) => query.kind === kind),
      ),
    ),
  ];
}

function readLines<Line>(name: string): Line[] {
  const lines = readFileSync(join(FOLDER, name), 'utf8').trimEnd().split('\n');
  return lines.map((line): Line => JSON.parse(line));
}
