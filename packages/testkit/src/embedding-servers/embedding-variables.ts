import type { Variables } from '../settings-in-test.ts';
import type { EmbeddingApi } from './embedding-api.ts';
import type { EmbeddingServer } from './open-embedding-server.ts';

export function embeddingVariables(
  { provider, needs_key }: EmbeddingApi,
  { url, key, dimensions }: EmbeddingServer,
): Variables {
  return {
    CATALOG_EMBEDDING_PROVIDER: provider,
    CATALOG_EMBEDDING_BASE_URL: url,
    CATALOG_EMBEDDING_MODEL: 'test-model',
    CATALOG_EMBEDDING_DIMENSIONS: String(dimensions),
    CATALOG_EGRESS_ALLOWED_HOSTS: new URL(url).host,
    ...(needs_key ? { CATALOG_EMBEDDING_API_KEY: key } : {}),
  };
}
