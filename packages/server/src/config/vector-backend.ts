import { egressProblem } from './egress-problem.ts';
import { invalidSetting } from './invalid-setting.ts';
import type { SettingKey, Settings } from './settings.ts';
import { VECTOR_SETTINGS, type VectorBackendType } from './vector-settings.ts';

export type VectorBackendChoice =
  | { kind: 'store' }
  | {
      kind: 'pinecone';
      api_key: string;
      index: string;
      host: string | undefined;
      control_plane: string;
      namespace: string;
      inference_model: string | undefined;
    }
  | {
      kind: 'weaviate';
      url: string;
      api_key: string;
      collection: string;
      vectorizer: string | undefined;
    }
  | {
      kind: 'qdrant';
      url: string;
      api_key: string;
      collection: string;
      inference_model: string | undefined;
    };

/** Loads the settings of the vector engine. Rejects those that cannot work or would be ignored. */
export function loadVectorBackend(settings: Settings): VectorBackendChoice {
  const type = settings['vector_backend.type'];
  rejectUnusedSettings(settings, type);
  if (type === 'pinecone') return loadPinecone(settings);
  if (type === 'weaviate-cloud') return loadWeaviate(settings);
  if (type === 'qdrant-cloud') return loadQdrant(settings);
  if (type !== undefined) checkStore(settings, type);
  return { kind: 'store' };
}

function loadWeaviate(settings: Settings): VectorBackendChoice {
  rejectTwoModels(settings, 'vector_backend.weaviate.vectorizer');
  return {
    kind: 'weaviate',
    url: loadAddress(settings, 'weaviate-cloud', 'vector_backend.weaviate.url'),
    api_key: settings['vector_backend.weaviate.api_key'] ?? '',
    collection: load(settings, 'weaviate-cloud', 'vector_backend.weaviate.collection'),
    vectorizer: settings['vector_backend.weaviate.vectorizer'],
  };
}

function loadQdrant(settings: Settings): VectorBackendChoice {
  rejectTwoModels(settings, 'vector_backend.qdrant.inference_model');
  return {
    kind: 'qdrant',
    url: loadAddress(settings, 'qdrant-cloud', 'vector_backend.qdrant.url'),
    api_key: settings['vector_backend.qdrant.api_key'] ?? '',
    collection: load(settings, 'qdrant-cloud', 'vector_backend.qdrant.collection'),
    inference_model: settings['vector_backend.qdrant.inference_model'],
  };
}

function loadPinecone(settings: Settings): VectorBackendChoice {
  const {
    'vector_backend.pinecone.host': host,
    'vector_backend.pinecone.control_plane': control_plane,
  } = settings;
  rejectTwoModels(settings, 'vector_backend.pinecone.inference_model');
  const place = host === undefined ? control_plane : withScheme(host);
  checkGate(
    settings,
    place,
    host === undefined ? 'vector_backend.pinecone.control_plane' : 'vector_backend.pinecone.host',
  );
  return {
    kind: 'pinecone',
    api_key: load(settings, 'pinecone', 'vector_backend.pinecone.api_key'),
    index: load(settings, 'pinecone', 'vector_backend.pinecone.index'),
    host: host === undefined ? undefined : withScheme(host),
    control_plane,
    namespace: settings['vector_backend.pinecone.namespace'],
    inference_model: settings['vector_backend.pinecone.inference_model'],
  };
}

function withScheme(host: string): string {
  return /^https?:\/\//.test(host) ? host : `https://${host}`;
}

type TextKey = Extract<
  SettingKey,
  `vector_backend.${'pinecone' | 'weaviate' | 'qdrant'}.${'api_key' | 'index' | 'url' | 'collection'}`
>;

function load(settings: Settings, type: VectorBackendType, key: TextKey): string {
  const value = settings[key];
  if (value !== undefined) return value;
  const [variable = ''] = VECTOR_SETTINGS[key].env ?? [];
  throw invalidSetting(
    key,
    `vector_backend.type is ${type}, but ${key} is not set.`,
    `Set ${key} or ${variable}.`,
    ['vector_backend.type', key],
  );
}

function loadAddress(settings: Settings, type: VectorBackendType, key: TextKey): string {
  const address = load(settings, type, key);
  checkGate(settings, address, key);
  return address;
}

function checkGate(settings: Settings, address: string, key: SettingKey): void {
  const problem = egressProblem(settings, address);
  if (problem === undefined) return;
  throw invalidSetting(
    'egress.allowed_hosts',
    `${key} is ${address}: ${problem.reason}.`,
    `If embeddings may be sent there, add ${problem.host} to egress.allowed_hosts or CATALOG_EGRESS_ALLOWED_HOSTS.`,
    ['egress.allowed_hosts', key],
  );
}

const ENGINE_SETTINGS = [
  'vector_backend.pinecone.api_key',
  'vector_backend.pinecone.index',
  'vector_backend.pinecone.host',
  'vector_backend.pinecone.inference_model',
  'vector_backend.weaviate.url',
  'vector_backend.weaviate.api_key',
  'vector_backend.weaviate.collection',
  'vector_backend.weaviate.vectorizer',
  'vector_backend.qdrant.url',
  'vector_backend.qdrant.api_key',
  'vector_backend.qdrant.collection',
  'vector_backend.qdrant.inference_model',
] as const satisfies readonly SettingKey[];

/** Rejects settings of an engine that is not selected: vectors would be stored elsewhere than expected. */
function rejectUnusedSettings(settings: Settings, type: VectorBackendType | undefined): void {
  const used = `vector_backend.${type?.replace(/-cloud$/, '')}.`;
  const unused = ENGINE_SETTINGS.find(
    (key) => settings[key] !== undefined && !key.startsWith(used),
  );
  if (unused === undefined) return;
  throw invalidSetting(
    'vector_backend.type',
    `${unused} is set, but vector_backend.type ${type === undefined ? 'is not' : `is ${type}`}.`,
    `Set the engine in vector_backend.type or CATALOG_VECTOR_BACKEND, or remove ${unused}.`,
    ['vector_backend.type', unused],
  );
}

const STORE_OF = { 'sqlite-vec': 'sqlite', pgvector: 'postgres' } as const;

function checkStore(settings: Settings, type: keyof typeof STORE_OF): void {
  const store = settings['store.type'];
  if (store === STORE_OF[type]) return;
  throw invalidSetting(
    'vector_backend.type',
    `vector_backend.type is ${type}, but store.type is ${store}.`,
    `Remove vector_backend.type to store embeddings with the metadata, or set store.type to ${STORE_OF[type]}.`,
    ['vector_backend.type', 'store.type'],
  );
}

/** Rejects a second embedding model: texts are embedded by the engine or before they are sent, not both. */
function rejectTwoModels(settings: Settings, key: SettingKey): void {
  const provider = settings['embedding_provider.type'];
  if (settings[key] === undefined || provider === 'builtin') return;
  throw invalidSetting(
    key,
    `${key} is set, and embedding_provider.type is ${provider}, but only one of them can create the embeddings.`,
    `Remove ${key} or embedding_provider.type.`,
    ['embedding_provider.type', key],
  );
}
