export const REMOTE_PROVIDERS = ['openai', 'voyage', 'cohere', 'ollama'] as const;

export type RemoteProvider = (typeof REMOTE_PROVIDERS)[number];

interface ProviderRow {
  base_url: string;
  model: string;
  /** Environment variable with the API key, as used by the provider's own programs; undefined if no key is needed. */
  key_variable: string | undefined;
}

export const PROVIDERS: Readonly<Record<RemoteProvider, ProviderRow>> = {
  openai: {
    base_url: 'https://api.openai.com/v1',
    model: 'text-embedding-3-small',
    key_variable: 'OPENAI_API_KEY',
  },
  voyage: {
    base_url: 'https://api.voyageai.com/v1',
    model: 'voyage-3',
    key_variable: 'VOYAGE_API_KEY',
  },
  cohere: {
    base_url: 'https://api.cohere.com',
    model: 'embed-v4.0',
    key_variable: 'COHERE_API_KEY',
  },
  ollama: {
    base_url: 'http://127.0.0.1:11434',
    model: 'nomic-embed-text',
    key_variable: undefined,
  },
};

export interface SidePrefixes {
  document: string;
  query: string;
}

export interface KnownModel {
  dimensions: number;
  prefixes?: SidePrefixes;
}

const MODELS: Readonly<Record<RemoteProvider, Readonly<Record<string, KnownModel>>>> = {
  openai: {
    'text-embedding-3-small': { dimensions: 1536 },
    'text-embedding-3-large': { dimensions: 3072 },
    'text-embedding-ada-002': { dimensions: 1536 },
  },
  voyage: {
    'voyage-3': { dimensions: 1024 },
    'voyage-3-large': { dimensions: 1024 },
    'voyage-3-lite': { dimensions: 512 },
    'voyage-3.5': { dimensions: 1024 },
    'voyage-3.5-lite': { dimensions: 1024 },
    'voyage-code-3': { dimensions: 1024 },
  },
  cohere: {
    'embed-v4.0': { dimensions: 1536 },
    'embed-english-v3.0': { dimensions: 1024 },
    'embed-english-light-v3.0': { dimensions: 384 },
    'embed-multilingual-v3.0': { dimensions: 1024 },
    'embed-multilingual-light-v3.0': { dimensions: 384 },
  },
  ollama: {
    'nomic-embed-text': {
      dimensions: 768,
      prefixes: { document: 'search_document: ', query: 'search_query: ' },
    },
    'mxbai-embed-large': {
      dimensions: 1024,
      prefixes: {
        document: '',
        query: 'Represent this sentence for searching relevant passages: ',
      },
    },
    'all-minilm': { dimensions: 384 },
    'bge-m3': { dimensions: 1024 },
  },
};

export function findModel(provider: RemoteProvider, model: string): KnownModel | undefined {
  // Tags of Ollama identify builds of the same model.
  const name = provider === 'ollama' ? model.replace(/:.*$/, '') : model;
  const models = MODELS[provider];
  return Object.hasOwn(models, name) ? models[name] : undefined;
}
