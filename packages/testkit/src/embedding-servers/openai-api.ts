import {
  allowOnly,
  readChoice,
  readDimensions,
  readModel,
  readTexts,
  type EmbeddingApi,
} from './embedding-api.ts';

export const openaiApi: EmbeddingApi = {
  provider: 'openai',
  path: '/embeddings',
  needs_key: true,
  indexed: true,
  read(body) {
    allowOnly(body, ['input', 'model', 'dimensions', 'encoding_format', 'user']);
    readChoice(body['encoding_format'], ['float', 'base64']);
    return {
      texts: readTexts(body['input'], 2048),
      model: readModel(body['model']),
      dimensions: readDimensions(body['dimensions']),
      side: undefined,
    };
  },
  write: (vectors, { model }) => ({
    object: 'list',
    data: vectors.map(({ index, values }) => ({ object: 'embedding', index, embedding: values })),
    model,
    usage: { prompt_tokens: 8, total_tokens: 8 },
  }),
  writeError: (message, code) => ({
    error: { message, type: 'invalid_request_error', param: null, code },
  }),
};
