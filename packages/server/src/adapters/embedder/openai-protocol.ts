import { isJsonObject, type Json } from '@catalog/core/json';
import type { ProviderProtocol } from './provider-protocol.ts';

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

/** Returns vectors in the order of their `index`; the response may have any order. */
export function readIndexed(data: Json | undefined): readonly unknown[] | undefined {
  if (!Array.isArray(data)) return undefined;
  const vectors = new Map<Json | undefined, Json | undefined>();
  for (const row of data) {
    if (isJsonObject(row)) vectors.set(row['index'], row['embedding']);
  }
  // A duplicate or unknown index would leave another text without a vector.
  return data.map((_, index) => vectors.get(index));
}
