import { readIndexed } from './openai-protocol.ts';
import type { ProviderProtocol } from './provider-protocol.ts';

export const VOYAGE_PROTOCOL: ProviderProtocol = {
  path: '/embeddings',
  batch_size: 128,
  toBody: ({ texts, side, model, dimensions }) => ({
    model,
    input: [...texts],
    input_type: side,
    truncation: true,
    ...(dimensions === undefined ? {} : { output_dimension: dimensions }),
  }),
  readVectors: ({ data }) => readIndexed(data),
};
