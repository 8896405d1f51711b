import { loadVariables, refusalOf } from '@catalog/testkit/settings-in-test';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { describeSettings } from './describe-settings.ts';
import { loadVectorBackend } from './vector-backend.ts';

const PINECONE = {
  CATALOG_VECTOR_BACKEND: 'pinecone',
  CATALOG_PINECONE_API_KEY: 'pc-key',
  CATALOG_PINECONE_INDEX: 'artifacts',
};
const WEAVIATE = {
  CATALOG_VECTOR_BACKEND: 'weaviate-cloud',
  CATALOG_WEAVIATE_URL: 'https://c.example.com/',
  CATALOG_WEAVIATE_COLLECTION: 'Artifacts',
};
const QDRANT = {
  CATALOG_VECTOR_BACKEND: 'qdrant-cloud',
  CATALOG_QDRANT_URL: 'https://q.example.com:6333',
  CATALOG_QDRANT_COLLECTION: 'artifacts',
};

describe('loadVectorBackend', () => {
  test.each([
    [{}, { kind: 'store' }],
    [{ CATALOG_VECTOR_BACKEND: 'sqlite-vec' }, { kind: 'store' }],
    [
      PINECONE,
      {
        kind: 'pinecone',
        api_key: 'pc-key',
        index: 'artifacts',
        host: undefined,
        control_plane: 'https://api.pinecone.io',
        namespace: 'catalog',
        inference_model: undefined,
      },
    ],
    [
      { ...WEAVIATE, CATALOG_WEAVIATE_API_KEY: 'w-key', CATALOG_WEAVIATE_VECTORIZER: 'text2vec-x' },
      {
        kind: 'weaviate',
        url: 'https://c.example.com',
        api_key: 'w-key',
        collection: 'Artifacts',
        vectorizer: 'text2vec-x',
      },
    ],
    [
      { ...QDRANT, CATALOG_QDRANT_INFERENCE_MODEL: 'sentence-transformers/all-minilm-l6-v2' },
      {
        kind: 'qdrant',
        url: 'https://q.example.com:6333',
        api_key: '',
        collection: 'artifacts',
        inference_model: 'sentence-transformers/all-minilm-l6-v2',
      },
    ],
  ])('parses %j', (env, choice) => {
    expect(loadVectorBackend(loadVariables(env).settings)).toEqual(choice);
  });

  test.each([
    [{ ...PINECONE, CATALOG_PINECONE_API_KEY: '' }, 'CATALOG_PINECONE_API_KEY'],
    [{ ...PINECONE, CATALOG_PINECONE_INDEX: '' }, 'CATALOG_PINECONE_INDEX'],
    [{ ...WEAVIATE, CATALOG_WEAVIATE_URL: '' }, 'CATALOG_WEAVIATE_URL'],
    [{ ...WEAVIATE, CATALOG_WEAVIATE_COLLECTION: '' }, 'CATALOG_WEAVIATE_COLLECTION'],
    [{ ...QDRANT, CATALOG_QDRANT_URL: '' }, 'CATALOG_QDRANT_URL'],
    [{ ...QDRANT, CATALOG_QDRANT_COLLECTION: '' }, 'CATALOG_QDRANT_COLLECTION'],
    [{ ...QDRANT, CATALOG_VECTOR_BACKEND: '' }, 'CATALOG_VECTOR_BACKEND'],
    [{ ...QDRANT, ...WEAVIATE }, 'remove vector_backend.qdrant.url'],
    [{ CATALOG_VECTOR_BACKEND: 'pgvector' }, 'set store.type to postgres'],
    [{ ...QDRANT, CATALOG_QDRANT_URL: 'http://127.0.0.1:6333' }, 'CATALOG_EGRESS_ALLOWED_HOSTS'],
    [{ ...PINECONE, CATALOG_PINECONE_HOST: 'http://p.example.com' }, 'egress.allowed_hosts'],
    [
      {
        ...QDRANT,
        CATALOG_QDRANT_INFERENCE_MODEL: 'm',
        CATALOG_EMBEDDING_PROVIDER: 'openai',
        OPENAI_API_KEY: 'k',
      },
      'or embedding_provider.type',
    ],
  ])('rejects %j and suggests a fix', (env, next) => {
    expect(refusalOf(env)).toMatchObject({
      code: 'config.invalid',
      suggested_action: expect.stringContaining(next),
    });
  });

  verifies('VEC-04', 'requires an uppercase letter at the start of a Weaviate class', () => {
    expect(refusalOf({ ...WEAVIATE, CATALOG_WEAVIATE_COLLECTION: 'artifacts' })).toMatchObject({
      code: 'config.invalid',
      suggested_action: expect.stringContaining('uppercase letter'),
    });
  });

  test('shows no API key', () => {
    const shown = JSON.stringify(describeSettings(loadVariables(PINECONE)));
    expect(shown).toContain('vector_backend.pinecone.api_key');
    expect(shown).not.toContain('pc-key');
  });
});
