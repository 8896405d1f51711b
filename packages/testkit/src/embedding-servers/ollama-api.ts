import {
  allowOnly,
  readDimensions,
  readModel,
  readTexts,
  type EmbeddingApi,
} from './embedding-api.ts';

export const ollamaApi: EmbeddingApi = {
  provider: 'ollama',
  path: '/api/embed',
  needs_key: false,
  indexed: false,
  read(body) {
    allowOnly(body, ['model', 'input', 'truncate', 'dimensions', 'options', 'keep_alive']);
    return {
      texts: readTexts(body['input'], 10_000),
      model: readModel(body['model']),
      dimensions: readDimensions(body['dimensions']),
      side: undefined,
    };
  },
  write: (vectors, { model }) => ({
    model,
    embeddings: vectors.map(({ values }) => values),
    total_duration: 14_143_917,
    load_duration: 1_019_500,
    prompt_eval_count: 8,
  }),
  writeError: (message) => ({ error: message }),
};
