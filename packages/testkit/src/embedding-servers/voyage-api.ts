import {
  allowOnly,
  readChoice,
  readDimensions,
  readModel,
  readTexts,
  type EmbeddingApi,
} from './embedding-api.ts';

export const voyageApi: EmbeddingApi = {
  provider: 'voyage',
  path: '/embeddings',
  needs_key: true,
  indexed: true,
  read(body) {
    allowOnly(body, [
      'input',
      'model',
      'input_type',
      'truncation',
      'output_dimension',
      'output_dtype',
      'encoding_format',
    ]);
    return {
      texts: readTexts(body['input'], 128),
      model: readModel(body['model']),
      dimensions: readDimensions(body['output_dimension']),
      side: readChoice(body['input_type'], ['document', 'query']),
    };
  },
  write: (vectors, { model }) => ({
    object: 'list',
    data: vectors.map(({ index, values }) => ({ object: 'embedding', embedding: values, index })),
    model,
    usage: { total_tokens: 8 },
  }),
  writeError: (message) => ({ detail: message }),
};
