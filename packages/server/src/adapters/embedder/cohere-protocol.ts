import { isJsonObject } from '@catalog/core/json';
import type { ProviderProtocol } from './provider-protocol.ts';

const INPUT_TYPES = { document: 'search_document', query: 'search_query' } as const;

export const COHERE_PROTOCOL: ProviderProtocol = {
  path: '/v2/embed',
  batch_size: 96,
  toBody: ({ texts, side, model, dimensions }) => ({
    model,
    texts: [...texts],
    input_type: INPUT_TYPES[side],
    embedding_types: ['float'],
    truncate: 'END',
    ...(dimensions === undefined ? {} : { output_dimension: dimensions }),
  }),
  readVectors({ embeddings }) {
    const vectors = isJsonObject(embeddings) ? embeddings['float'] : undefined;
    return Array.isArray(vectors) ? vectors : undefined;
  },
};
