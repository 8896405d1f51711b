import { createSendRequest, type SendRequest } from '@catalog/server/adapters/egress/send-request';
import { resolveHost } from '@catalog/server/adapters/egress/check-address';
import { openPinecone } from '@catalog/server/adapters/vector-engine/pinecone/open-pinecone';
import { openQdrant } from '@catalog/server/adapters/vector-engine/qdrant/open-qdrant';
import { openWeaviate } from '@catalog/server/adapters/vector-engine/weaviate/open-weaviate';
import type { VectorEngine } from '@catalog/core/ports/vector-engine';

export type LiveVariables = Readonly<Record<string, string | undefined>>;

export const LIVE_BACKENDS = ['pinecone', 'weaviate', 'qdrant'] as const;

export type LiveBackend = (typeof LIVE_BACKENDS)[number];

export type LiveCollection = 'vectors' | 'texts';

export type OpenedBackend =
  | { kind: 'opened'; engine: VectorEngine }
  | { kind: 'skipped'; reason: string };

/** Settings that each vector engine needs; without one of them, it is skipped. */
const NEEDED = {
  pinecone: {
    vectors: ['CATALOG_PINECONE_API_KEY', 'CATALOG_PINECONE_INDEX'],
    texts: [
      'CATALOG_PINECONE_API_KEY',
      'CATALOG_PINECONE_SELF_EMBEDDING_INDEX',
      'CATALOG_PINECONE_INFERENCE_MODEL',
    ],
  },
  weaviate: {
    vectors: ['CATALOG_WEAVIATE_API_KEY', 'CATALOG_WEAVIATE_URL', 'CATALOG_WEAVIATE_COLLECTION'],
    texts: [
      'CATALOG_WEAVIATE_API_KEY',
      'CATALOG_WEAVIATE_URL',
      'CATALOG_WEAVIATE_SELF_EMBEDDING_COLLECTION',
      'CATALOG_WEAVIATE_VECTORIZER',
    ],
  },
  qdrant: {
    vectors: ['CATALOG_QDRANT_API_KEY', 'CATALOG_QDRANT_URL', 'CATALOG_QDRANT_COLLECTION'],
    texts: [
      'CATALOG_QDRANT_API_KEY',
      'CATALOG_QDRANT_URL',
      'CATALOG_QDRANT_SELF_EMBEDDING_COLLECTION',
      'CATALOG_QDRANT_INFERENCE_MODEL',
    ],
  },
} as const satisfies Record<LiveBackend, Record<LiveCollection, readonly string[]>>;

/** Opens a collection of a vector engine, or returns why it is skipped. */
export function openLiveBackend(
  variables: LiveVariables,
  backend: LiveBackend,
  collection: LiveCollection,
): OpenedBackend {
  if (variables['CATALOG_LIVE_EXTERNAL'] !== '1') {
    return { kind: 'skipped', reason: 'CATALOG_LIVE_EXTERNAL is not 1' };
  }
  const missing = NEEDED[backend][collection].filter((name) => !variables[name]);
  if (missing.length > 0) {
    return { kind: 'skipped', reason: `test.env has no ${missing.join(', ')}` };
  }
  const engine = OPENERS[backend](variables, collection, sendFor(variables));
  return { kind: 'opened', engine };
}

function sendFor(variables: LiveVariables): SendRequest {
  const allowed_hosts = (variables['CATALOG_EGRESS_ALLOWED_HOSTS'] ?? '').split(',');
  const proxy = {
    http: undefined,
    https: variables['HTTPS_PROXY'] ?? variables['https_proxy'],
    except: [],
  };
  const rules = { allowed_hosts, proxy, ca_file: undefined };
  return createSendRequest(rules, resolveHost, { connections: 'kept' });
}

type Opener = (
  variables: LiveVariables,
  collection: LiveCollection,
  send: SendRequest,
) => VectorEngine;

const OPENERS: Readonly<Record<LiveBackend, Opener>> = {
  pinecone(variables, collection, send) {
    const embeds = collection === 'texts';
    const value = reader(variables);
    const options = {
      api_key: value('CATALOG_PINECONE_API_KEY'),
      index: value(embeds ? 'CATALOG_PINECONE_SELF_EMBEDDING_INDEX' : 'CATALOG_PINECONE_INDEX'),
      host: embeds ? undefined : variables['CATALOG_PINECONE_HOST'] || undefined,
      control_plane: variables['CATALOG_PINECONE_CONTROL_PLANE'] || 'https://api.pinecone.io',
      namespace: 'live',
      inference_model: embeds ? value('CATALOG_PINECONE_INFERENCE_MODEL') : undefined,
    };
    return openPinecone(options, send);
  },
  weaviate(variables, collection, send) {
    const embeds = collection === 'texts';
    const value = reader(variables);
    const options = {
      api_key: value('CATALOG_WEAVIATE_API_KEY'),
      url: value('CATALOG_WEAVIATE_URL'),
      collection: value(
        embeds ? 'CATALOG_WEAVIATE_SELF_EMBEDDING_COLLECTION' : 'CATALOG_WEAVIATE_COLLECTION',
      ),
      vectorizer: embeds ? value('CATALOG_WEAVIATE_VECTORIZER') : undefined,
    };
    return openWeaviate(options, send);
  },
  qdrant(variables, collection, send) {
    const embeds = collection === 'texts';
    const value = reader(variables);
    const options = {
      api_key: value('CATALOG_QDRANT_API_KEY'),
      url: value('CATALOG_QDRANT_URL'),
      collection: value(
        embeds ? 'CATALOG_QDRANT_SELF_EMBEDDING_COLLECTION' : 'CATALOG_QDRANT_COLLECTION',
      ),
      inference_model: embeds ? value('CATALOG_QDRANT_INFERENCE_MODEL') : undefined,
    };
    return openQdrant(options, send);
  },
};

function reader(variables: LiveVariables): (name: string) => string {
  return (name) => variables[name] ?? '';
}
