import type { JsonObject } from '@catalog/core/json';
import type { TextSide } from '@catalog/core/ports/embedder';

/** What a provider is asked for. */
export interface EmbeddingRequest {
  texts: readonly string[];
  side: TextSide;
  model: string;
  /** Fewer than the model makes by itself; undefined for as many as it does. */
  dimensions: number | undefined;
}

/** How the API of a provider is spoken. */
export interface ProviderProtocol {
  /** What is appended to its address. */
  path: string;
  /** Texts of one request at most. */
  batch_size: number;
  toBody(request: EmbeddingRequest): JsonObject;
  /** The vectors of an answer in the order of the texts, unchecked; undefined for one that has none. */
  readVectors(answer: JsonObject): readonly unknown[] | undefined;
}
