import { includes, partsWithin, type Narrowing } from '@catalog/core/identity/narrowing';
import type { VectorIndex } from '@catalog/core/ports/vector-index';
import { byPrecedence } from '@catalog/core/search/precedence';

/** How a search finds by meaning in a view. */
export type VectorReads = Pick<
  VectorIndex,
  'searchVectors' | 'compareVectors' | 'searchDomainVectors'
>;

/** The vectors, with nothing among them that the grants of a token do not cover. */
export function narrowVectors(vectors: VectorReads, narrowing: Narrowing): VectorReads {
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
    compareVectors: (tenant, asked, documents) =>
      vectors.compareVectors(
        tenant,
        asked,
        documents.filter(({ id }) => narrowing.discovers(id)),
      ),
    searchDomainVectors: async (tenant, layers, query) => {
      const hits = await vectors.searchDomainVectors(tenant, layers, query);
      return hits.filter(({ path }) => narrowing.holds(path));
    },
  };
}
