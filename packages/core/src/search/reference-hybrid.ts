import { compareBytes } from '../artifact/compare-bytes.ts';
import type { SearchDocument, SearchQuery } from '../ports/search-index.ts';
import type { LayerNumber } from '../ports/layer-number.ts';
import { fuse } from './fuse.ts';
import { MAX_VECTOR_ONLY, type FusedHit, type HybridSearchResult } from './hybrid-search.ts';
import { referenceSearch, type SearchedLayer } from './reference-search.ts';
import { sharesWord } from './shares-word.ts';

export interface KnownVectors {
  query: Float32Array;
  of(document: SearchDocument, layer: LayerNumber): Float32Array | undefined;
  floor: number;
  least_nearest: number;
}

/** Reference implementation for tests: index searches must return the same results. */
export function referenceHybrid(
  layers: readonly SearchedLayer[],
  query: SearchQuery,
  meanings: KnownVectors | undefined,
): HybridSearchResult {
  const hasQuery = query.query.trim() !== '';
  const words = referenceSearch(layers, { ...query, top_k: Infinity });
  const lexical = new Map(words.hits.map((hit) => [`${hit.layer} ${hit.id}`, hit.score]));
  const view = hasQuery ? referenceSearch(layers, { ...query, query: '', top_k: Infinity }) : words;
  const ranks = new Map(layers.map(({ number }, rank) => [number, rank]));
  const rankOf = (layer: LayerNumber): number => ranks.get(layer) ?? 0;
  const documents = new Map(
    layers.flatMap(({ number, documents: held }) =>
      held.map((document) => [`${number} ${document.id}`, document] as const),
    ),
  );
  const known = view.hits.map(({ layer, id }) => {
    const document = documents.get(`${layer} ${id}`);
    const vector = document === undefined || !hasQuery ? undefined : meanings?.of(document, layer);
    const similarity =
      vector === undefined || meanings === undefined ? undefined : cosine(meanings.query, vector);
    return { layer, id, similarity, score: lexical.get(`${layer} ${id}`) ?? 0 };
  });
  const near = new Set(
    known
      .filter(({ similarity }) => similarity !== undefined)
      .sort(
        (a, b) =>
          (b.similarity ?? 0) - (a.similarity ?? 0) ||
          rankOf(b.layer) - rankOf(a.layer) ||
          compareBytes(a.id, b.id),
      )
      .slice(0, MAX_VECTOR_ONLY)
      .filter(({ similarity = 0 }) => similarity >= (meanings?.floor ?? Infinity)),
  );
  const found = known
    .filter((hit) => !hasQuery || hit.score > 0 || near.has(hit))
    .map(({ layer, id, score, similarity }): FusedHit => ({
      layer,
      id,
      score: fuse({ score, bound: words.bound }, { cosine: similarity ?? 0 }),
      lexical: score,
      similarity,
    }));
  const isShared = sharesWord(words, meanings?.least_nearest ?? Infinity);
  if (hasQuery && !isShared && !hasNearest(layers, meanings)) {
    const nothing = { ...words, hits: [], total_matched: 0, total_estimated: false };
    return { ...nothing, degraded: false, words_only: false };
  }
  const hits = hasQuery
    ? found.sort(
        (a, b) =>
          b.score - a.score || rankOf(b.layer) - rankOf(a.layer) || compareBytes(a.id, b.id),
      )
    : found;
  return {
    ...words,
    hits: hits.slice(0, query.top_k),
    total_matched: found.length,
    total_estimated: near.size >= MAX_VECTOR_ONLY,
    degraded: false,
    words_only: false,
  };
}

function hasNearest(layers: readonly SearchedLayer[], meanings: KnownVectors | undefined): boolean {
  if (meanings === undefined || meanings.least_nearest <= meanings.floor) return true;
  const { least_nearest, query } = meanings;
  return layers.some(({ number, documents }, rank) =>
    documents.some((document) => {
      const vector = meanings.of(document, number);
      const isHidden = layers.slice(rank + 1).some(({ heads }) => heads.has(document.id));
      return vector !== undefined && !isHidden && cosine(query, vector) >= least_nearest;
    }),
  );
}

export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
