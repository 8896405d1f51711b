import type { VectorModel } from './vector-index.ts';

/** What a text is to be compared with: some models see questions and answers differently. */
export type TextSide = 'document' | 'query';

/** What makes vectors of texts: the built-in model, or a provider behind the egress rules. */
export interface Embedder {
  model: VectorModel;
  /** A cosine below it says nothing: nobody means that (a constant of the model, a setting for providers). */
  floor: number;
  /**
   * Returns the cosine that the nearest document must have for a query of which no document has a word;
   * Infinity if the model knows none of the words either.
   */
  leastNearest: (query: string) => Promise<number>;
  /** Texts of one call at most. */
  batch_size: number;
  /** How many calls at a time are faster than one after the other. */
  parallel: number;
  /**
   * A vector of unit length for every text, in their order; zeros, which are near nothing, where the
   * built-in model knows no word of one. Throws `registry.embedding_failed` where another try may help
   * and `registry.embedding_refused` where somebody has to change something first.
   */
  embed(texts: readonly string[], side: TextSide, signal: AbortSignal): Promise<Float32Array[]>;
}
