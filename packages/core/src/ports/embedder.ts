import type { VectorModel } from './vector-index.ts';

/** Side of a comparison: some models embed queries and documents differently. */
export type TextSide = 'document' | 'query';

export interface Embedder {
  model: VectorModel;
  /** Similarity below which a result is not relevant. */
  floor: number;
  /**
   * Returns the minimum similarity of the nearest document if none shares a word with the query; Infinity if the
   * model does not know the words either.
   */
  leastNearest: (query: string) => Promise<number>;
  batch_size: number;
  parallel: number;
  /**
   * Returns a unit vector per text, in order; the builtin model returns zeros for texts without known words. Throws
   * `registry.embedding_failed` if a retry may succeed, or `registry.embedding_refused` if a user must change
   * something.
   */
  embed(texts: readonly string[], side: TextSide, signal: AbortSignal): Promise<Float32Array[]>;
}
