import type { Embedder } from '@catalog/core/ports/embedder';
import type { VectorIndex } from '@catalog/core/ports/vector-index';
import type { Fusion } from '@catalog/core/search/fuse';

export interface SearchPorts {
  vectors: VectorIndex;
  external: boolean;
  /** Embedder of the configured model; undefined if embeddings are disabled. */
  embedder: Embedder | undefined;
  /** Opens another embedder, until the configured model is complete. */
  openEmbedder: (model: string) => Embedder | undefined;
  fusion: Fusion;
  /** Called if a search uses words only, because vectors are unavailable. */
  onDegraded: (cause: unknown) => void;
}
