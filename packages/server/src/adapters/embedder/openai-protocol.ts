import { isJsonObject, type Json } from '@catalog/core/json';
import type { ProviderProtocol } from './provider-protocol.ts';

/** `POST <address>/embeddings`, as OpenAI and the many who follow it answer. */
export const OPENAI_PROTOCOL: ProviderProtocol = {
  path: '/embeddings',
  batch_size: 128,
  toBody: ({ texts, model, dimensions }) => ({
    model,
    input: [...texts],
    encoding_format: 'float',
    ...(dimensions === undefined ? {} : { dimensions }),
  }),
  readVectors: ({ data }) => readIndexed(data),
};

/** Each vector says which text it is of; they may come in any order. */
export function readIndexed(data: Json | undefined): readonly unknown[] | undefined {
  if (!Array.isArray(data)) return undefined;
  const vectors = new Map<Json | undefined, Json | undefined>();
  for (const row of data) {
    if (isJsonObject(row)) vectors.set(row['index'], row['embedding']);
  }
  // Two of one text, or one of none, leave another without.
  return data.map((_, index) => vectors.get(index));
}
