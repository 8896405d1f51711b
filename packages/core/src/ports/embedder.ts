import type { VectorModel } from './vector-index.ts';

/** Some models embed queries and documents differently. */
export type TextSide = 'document' | 'query';

export interface Embedder {
  model: VectorModel;
  /** Cosine below which a result is not relevant (a constant of the model, a setting for providers). */
  floor: number;
  /**
   * Returns the minimum cosine of the nearest document if no document has a word of the query. Infinity
   * if the model does not know the words either.
   */
  leastNearest: (query: string) => Promise<number>;
  batch_size: number;
  parallel: number;
  /**
   * Returns a unit vector for every text, in order. The built-in model returns zeros, which match
   * nothing, for texts without known words. Throws `registry.embedding_failed` if a retry may
   * succeed, and `registry.embedding_refused` if a user must change something first.
   */
  embed(texts: readonly string[], side: TextSide, signal: AbortSignal): Promise<Float32Array[]>;
}
