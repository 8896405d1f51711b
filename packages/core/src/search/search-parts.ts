import { compareBytes } from '../artifact/compare-bytes.ts';
import type { IndexSearchResult, SearchIndexReads, SearchQuery } from '../ports/search-index.ts';
import type { LayerNumber } from '../ports/layer-number.ts';
import type { Tenant } from '../ports/tenant.ts';
import type { VectorHit, VectorIndex, VectorQuery } from '../ports/vector-index.ts';
import type { LayerStack } from '../ports/versions.ts';
import { isWithin } from '../text/slash-path.ts';
import { ANY_HARNESS } from './document-terms.ts';
import { byPrecedence } from './precedence.ts';

/** Filters of a search. Values of one group are alternatives, except for tags; an empty group matches everything. */
export interface SearchFilters {
  types: readonly string[];
  tags: readonly string[];
  scopes: readonly string[];
  /** Layers that may serve a result; undefined for all. */
  layers: readonly LayerNumber[] | undefined;
  harness: string;
}

export type SearchPart = Omit<SearchQuery, 'query' | 'top_k'>;

const MAX_PARTS = 32;

/** Splits filters into disjoint parts, whose counts add up; undefined if there are too many. */
export function splitFilters(filters: SearchFilters): SearchPart[] | undefined {
  const { types, tags, layers, harness } = filters;
  const scopes = outermost(filters.scopes);
  const harnesses = harness === '' ? [undefined] : [...new Set([harness, ANY_HARNESS])];
  const parts: SearchPart[] = [];
  for (const type of orAny(types, '')) {
    for (const scope of orAny(scopes, '')) {
      for (const layer of layers === undefined ? [undefined] : new Set(layers)) {
        for (const target of harnesses) {
          parts.push({
            type,
            tags,
            scope,
            ...(layer === undefined ? {} : { layer }),
            ...(target === undefined ? {} : { harness: target }),
          });
        }
      }
    }
  }
  return parts.length > MAX_PARTS ? undefined : parts;
}

function orAny(values: readonly string[], any: string): readonly string[] {
  return values.length === 0 ? [any] : [...new Set(values)];
}

function outermost(scopes: readonly string[]): string[] {
  const distinct = [...new Set(scopes)];
  return distinct.filter(
    (scope) => !distinct.some((other) => other !== scope && isWithin(scope, other)),
  );
}

/** Searches each part by words. Weights are the same in all parts, because they share a view. */
export async function searchWordsOf(
  search: SearchIndexReads,
  tenant: Tenant,
  layers: LayerStack,
  query: Pick<SearchQuery, 'query' | 'top_k'>,
  parts: readonly SearchPart[],
): Promise<IndexSearchResult> {
  const { query: words, top_k } = query;
  const answers = await Promise.all(
    parts.map((part) => search.search(tenant, layers, { ...part, query: words, top_k })),
  );
  return mergeSearchResults(answers, layers, query);
}

export function mergeSearchResults(
  answers: readonly IndexSearchResult[],
  layers: LayerStack,
  { query, top_k }: Pick<SearchQuery, 'query' | 'top_k'>,
): IndexSearchResult {
  const [only] = answers;
  if (only !== undefined && answers.length === 1) return only;
  const rank = byPrecedence(layers);
  const hits = answers.flatMap((answer) => answer.hits);
  hits.sort(
    query.trim() === ''
      ? (a, b) => compareBytes(a.id, b.id)
      : (a, b) => b.score - a.score || rank(a, b),
  );
  return {
    hits: hits.slice(0, top_k),
    terms: only?.terms ?? [],
    bound: Math.max(0, ...answers.map(({ bound }) => bound)),
    is_known: answers.some(({ is_known }) => is_known),
    total_matched: answers.reduce((sum, answer) => sum + answer.total_matched, 0),
    total_estimated: answers.some(({ total_estimated }) => total_estimated),
  };
}

export async function searchVectorsOf(
  vectors: Pick<VectorIndex, 'searchVectors'>,
  tenant: Tenant,
  layers: LayerStack,
  query: Pick<VectorQuery, 'model' | 'vector' | 'top_k'>,
  parts: readonly SearchPart[],
): Promise<VectorHit[]> {
  const { model, vector, top_k } = query;
  const found = await Promise.all(
    parts.map((part) => vectors.searchVectors(tenant, layers, { ...part, model, vector, top_k })),
  );
  const rank = byPrecedence(layers);
  return found
    .flat()
    .sort((a, b) => b.similarity - a.similarity || rank(a, b))
    .slice(0, top_k);
}
