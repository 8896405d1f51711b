import type { LoopbackServer } from '../../tools/services/vector-engines/loopback-server.ts';
import { startPineconeStandIn } from '../../tools/services/vector-engines/pinecone-stand-in.ts';
import {
  createQdrantCollection,
  QDRANT_MODEL,
  startQdrantStandIn,
} from '../../tools/services/vector-engines/qdrant-stand-in.ts';
import {
  createEmbeddingClass,
  startWeaviate,
  WEAVIATE_VECTORIZER,
  weaviateUnavailableReason,
} from '../../tools/services/vector-engines/weaviate-server.ts';
import type { LiveVariables } from './live-backends.ts';

const KEY = 'loopback-key';

export interface LoopbackBackends {
  variables: LiveVariables;
  close(): Promise<void>;
}

/** Starts Weaviate if it is installed, and stand-ins for Pinecone and Qdrant. */
export async function startLoopbackBackends(): Promise<LoopbackBackends> {
  const pinecone = await startPineconeStandIn(KEY, {
    vectors: { dimension: 1536, embeds: false },
    texts: { dimension: 384, embeds: true },
  });
  const qdrant = await startLoopbackQdrant();
  const weaviate = weaviateUnavailableReason() === undefined ? await startWeaviate(KEY) : undefined;
  if (weaviate !== undefined) await createEmbeddingClass(weaviate.url, KEY, 'LiveTexts');
  return {
    variables: {
      ...qdrant.variables,
      CATALOG_PINECONE_API_KEY: KEY,
      CATALOG_PINECONE_INDEX: 'vectors',
      CATALOG_PINECONE_SELF_EMBEDDING_INDEX: 'texts',
      CATALOG_PINECONE_INFERENCE_MODEL: 'multilingual-e5-large',
      CATALOG_PINECONE_CONTROL_PLANE: pinecone.url,
      ...(weaviate && {
        CATALOG_WEAVIATE_API_KEY: KEY,
        CATALOG_WEAVIATE_URL: weaviate.url,
        CATALOG_WEAVIATE_COLLECTION: 'Live',
        CATALOG_WEAVIATE_SELF_EMBEDDING_COLLECTION: 'LiveTexts',
        CATALOG_WEAVIATE_VECTORIZER: WEAVIATE_VECTORIZER,
      }),
    },
    async close() {
      await Promise.all([pinecone.close(), qdrant.close(), weaviate?.close()]);
    },
  };
}

export async function startLoopbackQdrant(): Promise<LoopbackBackends> {
  const server: LoopbackServer = await startQdrantStandIn(KEY);
  await createQdrantCollection(server.url, KEY, 'vectors', 1536);
  await createQdrantCollection(server.url, KEY, 'texts', 384);
  return {
    variables: {
      CATALOG_LIVE_EXTERNAL: '1',
      CATALOG_EGRESS_ALLOWED_HOSTS: '127.0.0.1',
      CATALOG_QDRANT_API_KEY: KEY,
      CATALOG_QDRANT_URL: server.url,
      CATALOG_QDRANT_COLLECTION: 'vectors',
      CATALOG_QDRANT_SELF_EMBEDDING_COLLECTION: 'texts',
      CATALOG_QDRANT_INFERENCE_MODEL: QDRANT_MODEL,
    },
    close: () => server.close(),
  };
}
