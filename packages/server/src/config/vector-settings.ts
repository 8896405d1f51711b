import {
  MAX_PROSE,
  matching,
  oneOf,
  text,
  INVALID_FIELD,
} from '@catalog/core/manifest/field-checks';
import { addressLike } from './address-like.ts';
import { textSetting, type Setting } from './setting.ts';

export const VECTOR_BACKENDS = [
  'sqlite-vec',
  'pgvector',
  'pinecone',
  'weaviate-cloud',
  'qdrant-cloud',
] as const;

export type VectorBackendType = (typeof VECTOR_BACKENDS)[number];

export const VECTOR_SETTINGS = {
  'vector_backend.type': {
    summary:
      'Store for embeddings: with the metadata (`sqlite-vec` in SQLite, `pgvector` in PostgreSQL), or an external engine: `pinecone`, `weaviate-cloud`, or `qdrant-cloud`, hosted or self-hosted.',
    env: ['CATALOG_VECTOR_BACKEND'],
    default: undefined,
    default_text: 'with the metadata',
    check: oneOf(VECTOR_BACKENDS),
    fromText: (value) => value,
  } satisfies Setting<VectorBackendType, undefined>,
  'vector_backend.pinecone.api_key': keySetting('Pinecone', 'CATALOG_PINECONE_API_KEY'),
  'vector_backend.pinecone.index': nameSetting(
    'Pinecone index with dense vectors, the dimension of the model, and the metric cosine. It must exist.',
    'CATALOG_PINECONE_INDEX',
  ),
  'vector_backend.pinecone.host': textSetting({
    summary: 'Host of the Pinecone index. If unset, it is looked up through the control plane.',
    env: ['CATALOG_PINECONE_HOST'],
    default: undefined,
    check: matching(
      /^(?:https?:\/\/)?[\w.-]+(?::\d+)?(?:\/[\w.-]+)*$/,
      'a host name, as Pinecone shows it',
      INVALID_FIELD,
      'Copy the host of the index, such as `index-abc123.svc.aped-4627-b74a.pinecone.io`.',
    ),
  }),
  'vector_backend.pinecone.namespace': textSetting({
    summary:
      'Prefix of namespaces, so that registries can share an index. Each model and tenant has its own namespace.',
    env: ['CATALOG_PINECONE_NAMESPACE'],
    default: 'catalog',
    check: matching(
      /^[\w-]{1,64}$/,
      'letters, digits, dashes, and underscores',
      INVALID_FIELD,
      'Choose another name.',
    ),
  }),
  'vector_backend.pinecone.inference_model': nameSetting(
    'Model with which the index embeds its field `text`. If set, texts are sent to Pinecone instead of vectors.',
    'CATALOG_PINECONE_INFERENCE_MODEL',
  ),
  'vector_backend.pinecone.control_plane': textSetting({
    summary: 'URL of the Pinecone control plane.',
    env: ['CATALOG_PINECONE_CONTROL_PLANE'],
    default: 'https://api.pinecone.io',
    check: addressLike('https://api.pinecone.io'),
  }),
  'vector_backend.weaviate.url': addressSetting('Weaviate', 'CATALOG_WEAVIATE_URL'),
  'vector_backend.weaviate.api_key': keySetting('Weaviate', 'CATALOG_WEAVIATE_API_KEY'),
  'vector_backend.weaviate.collection': textSetting({
    summary:
      'Weaviate collection (class). If it does not exist, its auto-schema creates it with the first write.',
    env: ['CATALOG_WEAVIATE_COLLECTION'],
    default: undefined,
    check: matching(
      /^[A-Z]\w{0,254}$/,
      'a collection name: an uppercase letter, then letters, digits, and underscores',
      INVALID_FIELD,
      'Start it with an uppercase letter, such as `Artifacts`.',
    ),
  }),
  'vector_backend.weaviate.vectorizer': nameSetting(
    'Module with which the collection embeds its property `text`. If set, texts are sent to Weaviate instead of vectors.',
    'CATALOG_WEAVIATE_VECTORIZER',
  ),
  'vector_backend.qdrant.url': addressSetting('Qdrant', 'CATALOG_QDRANT_URL'),
  'vector_backend.qdrant.api_key': keySetting('Qdrant', 'CATALOG_QDRANT_API_KEY'),
  'vector_backend.qdrant.collection': nameSetting(
    'Qdrant collection with one unnamed vector, the size of the model, and the distance cosine. It must exist.',
    'CATALOG_QDRANT_COLLECTION',
  ),
  'vector_backend.qdrant.inference_model': nameSetting(
    'Model with which Qdrant embeds texts. If set, texts are sent to Qdrant instead of vectors.',
    'CATALOG_QDRANT_INFERENCE_MODEL',
  ),
} as const satisfies Readonly<Record<string, Setting>>;

function keySetting(engine: string, variable: string): Setting<string, undefined> {
  const check = text(MAX_PROSE);
  const summary = `${engine} API key.`;
  return textSetting({ summary, env: [variable], default: undefined, check, mask: () => '***' });
}

function addressSetting(engine: string, variable: string): Setting<string, undefined> {
  const summary = `${engine} URL.`;
  const check = addressLike('https://cluster.example.com');
  return textSetting({ summary, env: [variable], default: undefined, check });
}

function nameSetting(summary: string, variable: string): Setting<string, undefined> {
  const check = matching(
    /^[\w.:@-]+(?:\/[\w.:@-]+)*$/,
    'a name of letters, digits, dots, dashes, and slashes',
    INVALID_FIELD,
    'Write it as the engine shows it.',
  );
  return textSetting({ summary, env: [variable], default: undefined, check });
}
