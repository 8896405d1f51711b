import type { JsonObject } from '@catalog/core/json';
import type { TextSide } from '@catalog/core/ports/embedder';

export interface EmbeddingRequest {
  texts: readonly string[];
  side: TextSide;
  model: string;
  /** Number of dimensions to request; undefined for the default of the model. */
  dimensions: number | undefined;
}

export interface ProviderProtocol {
  path: string;
  batch_size: number;
  toBody(request: EmbeddingRequest): JsonObject;
  /** Returns unvalidated vectors in the order of the texts. */
  readVectors(answer: JsonObject): readonly unknown[] | undefined;
}
