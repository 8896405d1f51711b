import type { HybridReads } from '@catalog/core/search/hybrid-search';
import type { Registry } from '../registry.ts';
import type { View } from '../view/view.ts';
import { askMeaning } from './ask-meaning.ts';
import { narrowVectors, type VectorReads } from './narrow-vectors.ts';

/** The two arms over a view, with nothing in them that its narrowing leaves out. */
export function hybridReads(
  registry: Registry,
  { reads, narrowing }: View,
  signal: AbortSignal,
): HybridReads & { vectors: VectorReads } {
  const { embedder, vectors, onDegraded } = registry.search;
  return {
    search: reads.search,
    vectors: narrowing === undefined ? vectors : narrowVectors(vectors, narrowing),
    ask: embedder === undefined ? undefined : (query) => askMeaning(registry, query, signal),
    onFailure: onDegraded,
  };
}
