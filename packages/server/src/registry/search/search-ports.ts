import type { Embedder } from '@catalog/core/ports/embedder';
import type { VectorIndex } from '@catalog/core/ports/vector-index';
import type { Fusion } from '@catalog/core/search/fuse';

export interface SearchPorts {
  vectors: VectorIndex;
  external: boolean;
  /** Undefined if embeddings are disabled. */
  embedder: Embedder | undefined;
  /** For use until the configured model is complete. */
  openEmbedder: (model: string) => Embedder | undefined;
  fusion: Fusion;
  /** Called when a search falls back to words only. */
  onDegraded: (cause: unknown) => void;
}
