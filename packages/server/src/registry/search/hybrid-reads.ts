import type { HybridReads, QueryEmbedding } from '@catalog/core/search/hybrid-search';
import type { Registry } from '../registry.ts';
import type { View } from '../view/view.ts';
import { chooseEmbedder } from './choose-embedder.ts';
import { includes, type Narrowing, partsWithin } from '@catalog/core/identity/narrowing';
import type { VectorIndex } from '@catalog/core/ports/vector-index';
import { byPrecedence } from '@catalog/core/search/precedence';

export function hybridReads(
  registry: Registry,
  { reads, narrowing }: View,
  signal: AbortSignal,
): HybridReads & { vectors: VectorReads } {
  const { embedder, vectors, onDegraded } = registry.search;
  return {
    search: reads.search,
    vectors: narrowing === undefined ? vectors : narrowVectors(vectors, narrowing),
    ask: embedder === undefined ? undefined : (query) => embedQuery(registry, query, signal),
    onFailure: onDegraded,
  };
}

async function embedQuery(
  registry: Registry,
  query: string,
  signal: AbortSignal,
): Promise<QueryEmbedding | undefined> {
  const embedder = await chooseEmbedder(registry);
  if (embedder === undefined) return undefined;
  const [[vector], least_nearest] = await Promise.all([
    embedder.embed([query], 'query', signal),
    embedder.leastNearest(query),
  ]);
  if (vector === undefined) return undefined;
  const { model, floor } = embedder;
  return { model: model.name, vector, floor, least_nearest, fusion: registry.search.fusion };
}

type VectorReads = Pick<VectorIndex, 'searchVectors' | 'compareVectors' | 'searchDomainVectors'>;

function narrowVectors(vectors: VectorReads, narrowing: Narrowing): VectorReads {
  return {
    searchVectors: async (tenant, layers, query) => {
      const paths = Map.groupBy(partsWithin(narrowing.parts, query.scope), ({ path }) => path);
      const found = await Promise.all(
        [...paths].map(async ([scope, parts]) => {
          const hits = await vectors.searchVectors(tenant, layers, { ...query, scope });
          return hits.filter(({ id }) => parts.some((part) => includes(part, id)));
        }),
      );
      const rank = byPrecedence(layers);
      return found
        .flat()
        .sort((a, b) => b.similarity - a.similarity || rank(a, b))
        .slice(0, query.top_k);
    },
    compareVectors: (tenant, vectorQuery, documents) =>
      vectors.compareVectors(
        tenant,
        vectorQuery,
        documents.filter(({ id }) => narrowing.discovers(id)),
      ),
    searchDomainVectors: async (tenant, layers, query) => {
      const hits = await vectors.searchDomainVectors(tenant, layers, query);
      return hits.filter(({ path }) => narrowing.holds(path));
    },
  };
}
