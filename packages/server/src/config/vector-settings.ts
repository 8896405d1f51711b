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

/** Where vectors are kept. */
export const VECTOR_SETTINGS = {
  'vector_backend.type': {
    summary:
      'Where vectors are kept: with the metadata (`sqlite-vec` in SQLite, `pgvector` in PostgreSQL), or in an engine of its own: `pinecone`, `weaviate-cloud` or `qdrant-cloud`, hosted or not.',
    env: ['CATALOG_VECTOR_BACKEND'],
    default: undefined,
    default_text: 'with the metadata',
    check: oneOf(VECTOR_BACKENDS),
    fromText: (value) => value,
  } satisfies Setting<VectorBackendType, undefined>,
  'vector_backend.pinecone.api_key': keySetting('Pinecone', 'CATALOG_PINECONE_API_KEY'),
  'vector_backend.pinecone.index': nameSetting(
    'The index of Pinecone: dense vectors, as long as those of the model, compared by cosine. It must exist.',
    'CATALOG_PINECONE_INDEX',
  ),
  'vector_backend.pinecone.host': textSetting({
    summary: 'Where the index of Pinecone is; without it the control plane is asked.',
    env: ['CATALOG_PINECONE_HOST'],
    default: undefined,
    check: matching(
      /^(?:https?:\/\/)?[\w.-]+(?::\d+)?(?:\/[\w.-]+)*$/,
      'a host, as Pinecone shows it',
      INVALID_FIELD,
      'Copy the host of the index, such as `index-abc123.svc.aped-4627-b74a.pinecone.io`.',
    ),
  }),
  'vector_backend.pinecone.namespace': textSetting({
    summary:
      'What the names of its namespaces begin with, so that registries can share an index; there is one for every model and tenant.',
    env: ['CATALOG_PINECONE_NAMESPACE'],
    default: 'catalog',
    check: matching(
      /^[\w-]{1,64}$/,
      'letters, digits, dashes and underscores',
      INVALID_FIELD,
      'Choose another name.',
    ),
  }),
  'vector_backend.pinecone.inference_model': nameSetting(
    'The model the index embeds its field `text` with. With it texts are sent to Pinecone instead of vectors.',
    'CATALOG_PINECONE_INFERENCE_MODEL',
  ),
  'vector_backend.pinecone.control_plane': textSetting({
    summary: 'Where Pinecone is asked for the host of the index.',
    env: ['CATALOG_PINECONE_CONTROL_PLANE'],
    default: 'https://api.pinecone.io',
    check: addressLike('https://api.pinecone.io'),
  }),
  'vector_backend.weaviate.url': addressSetting('Weaviate', 'CATALOG_WEAVIATE_URL'),
  'vector_backend.weaviate.api_key': keySetting('Weaviate', 'CATALOG_WEAVIATE_API_KEY'),
  'vector_backend.weaviate.collection': textSetting({
    summary:
      'The collection, or class, of Weaviate. One that does not exist is made by its auto-schema with the first write.',
    env: ['CATALOG_WEAVIATE_COLLECTION'],
    default: undefined,
    check: matching(
      /^[A-Z]\w{0,254}$/,
      'the name of a collection: a capital letter, then letters, digits and underscores',
      INVALID_FIELD,
      'Begin it with a capital letter, such as `Artifacts`.',
    ),
  }),
  'vector_backend.weaviate.vectorizer': nameSetting(
    'The module the collection embeds its property `text` with. With it texts are sent to Weaviate instead of vectors.',
    'CATALOG_WEAVIATE_VECTORIZER',
  ),
  'vector_backend.qdrant.url': addressSetting('Qdrant', 'CATALOG_QDRANT_URL'),
  'vector_backend.qdrant.api_key': keySetting('Qdrant', 'CATALOG_QDRANT_API_KEY'),
  'vector_backend.qdrant.collection': nameSetting(
    'The collection of Qdrant: one unnamed vector, as long as those of the model, compared by cosine. It must exist.',
    'CATALOG_QDRANT_COLLECTION',
  ),
  'vector_backend.qdrant.inference_model': nameSetting(
    'The model Qdrant embeds texts with. With it texts are sent there instead of vectors.',
    'CATALOG_QDRANT_INFERENCE_MODEL',
  ),
} as const satisfies Readonly<Record<string, Setting>>;

function keySetting(engine: string, variable: string): Setting<string, undefined> {
  const check = text(MAX_PROSE);
  const summary = `The key of ${engine}.`;
  return textSetting({ summary, env: [variable], default: undefined, check, mask: () => '***' });
}

function addressSetting(engine: string, variable: string): Setting<string, undefined> {
  const summary = `Where ${engine} is.`;
  const check = addressLike('https://cluster.example.com');
  return textSetting({ summary, env: [variable], default: undefined, check });
}

/** It becomes part of the name vectors are kept under. */
function nameSetting(summary: string, variable: string): Setting<string, undefined> {
  const check = matching(
    /^[\w.:@-]+(?:\/[\w.:@-]+)*$/,
    'a name of letters, digits, dots, dashes and slashes',
    INVALID_FIELD,
    'Write it as the engine shows it.',
  );
  return textSetting({ summary, env: [variable], default: undefined, check });
}
