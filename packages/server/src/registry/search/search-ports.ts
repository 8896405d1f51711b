import type { Embedder } from '@catalog/core/ports/embedder';
import type { VectorIndex } from '@catalog/core/ports/vector-index';
import type { Fusion } from '@catalog/core/search/fuse';

/** What searching by meaning stands on. */
export interface SearchPorts {
  /** The vectors of the store, or of an engine outside it. */
  vectors: VectorIndex;
  /** The vectors are kept outside the store. */
  external: boolean;
  /** What the configuration names; undefined where vectors are switched off. */
  embedder: Embedder | undefined;
  /** What can still be asked in the terms of another model, while vectors of the configured one are made. */
  openEmbedder: (model: string) => Embedder | undefined;
  fusion: Fusion;
  /** Told when a search had to answer by words alone. */
  onDegraded: (cause: unknown) => void;
}
