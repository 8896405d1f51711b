import {
  allowOnly,
  readChoice,
  readDimensions,
  readModel,
  readTexts,
  type EmbeddingApi,
} from './embedding-api.ts';

export const cohereApi: EmbeddingApi = {
  provider: 'cohere',
  path: '/v2/embed',
  needs_key: true,
  indexed: false,
  read(body) {
    allowOnly(body, [
      'texts',
      'model',
      'input_type',
      'embedding_types',
      'truncate',
      'output_dimension',
      'max_tokens',
    ]);
    readChoice(body['truncate'], ['NONE', 'START', 'END']);
    const types = body['embedding_types'];
    if (!Array.isArray(types) || !types.includes('float')) throw new Error('embedding_types');
    const input_type = readChoice(body['input_type'], ['search_document', 'search_query']);
    if (input_type === undefined) throw new Error('input_type is required');
    return {
      texts: readTexts(body['texts'], 96),
      model: readModel(body['model']),
      dimensions: readDimensions(body['output_dimension']),
      side: input_type === 'search_query' ? 'query' : 'document',
    };
  },
  write: (vectors, { texts }) => ({
    id: '54910170-852f-4322-9767-63d36e55c3bf',
    embeddings: { float: vectors.map(({ values }) => values) },
    texts,
    meta: { api_version: { version: '2' }, billed_units: { input_tokens: 8 } },
    response_type: 'embeddings_by_type',
  }),
  writeError: (message) => ({ id: '54910170-852f-4322-9767-63d36e55c3bf', message }),
};
