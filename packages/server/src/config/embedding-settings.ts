import {
  INVALID_FIELD,
  MAX_PROSE,
  matching,
  oneOf,
  text,
  type Check,
} from '@catalog/core/manifest/field-checks';
import { addressLike } from './address-like.ts';
import { PROVIDERS, REMOTE_PROVIDERS, type RemoteProvider } from './embedding-models.ts';
import {
  choiceSetting,
  numberSetting,
  switchSetting,
  textSetting,
  type Setting,
} from './setting.ts';

export const EMBEDDING_SETTINGS = {
  no_embeddings: switchSetting({
    summary: 'Disable embeddings; search uses keywords only.',
    env: ['CATALOG_NO_EMBEDDINGS'],
    flag: 'no-embeddings',
    default: false,
  }),
  'embedding_provider.type': choiceSetting(['builtin', ...REMOTE_PROVIDERS, 'none'], {
    summary:
      'Embedding provider: `builtin`, a model in this program, or a remote provider that receives the texts; `none` disables embeddings.',
    env: ['CATALOG_EMBEDDING_PROVIDER'],
    default: 'builtin',
  }),
  'embedding_provider.previous': {
    summary:
      'Previous provider to use for searches until the embeddings of the new one are ready. Without it, search uses keywords only in the meantime.',
    env: ['CATALOG_EMBEDDING_PREVIOUS_PROVIDER'],
    default: undefined,
    check: oneOf(REMOTE_PROVIDERS),
    fromText: (value) => value,
  } satisfies Setting<RemoteProvider, undefined>,
  'embedding_provider.model': textSetting({
    summary: 'Model of the provider; each provider has a default.',
    env: ['CATALOG_EMBEDDING_MODEL'],
    default: undefined,
    check: modelName(),
  }),
  'embedding_provider.dimensions': {
    ...numberSetting(
      { min: 1, max: 4096 },
      {
        summary:
          'Number of dimensions of the embeddings. Required for an unknown model; for a known model, requests fewer dimensions than its default.',
        env: ['CATALOG_EMBEDDING_DIMENSIONS'],
        default: 1,
      },
    ),
    default: undefined,
    default_text: "the model's default",
  } satisfies Setting<number, undefined>,
  'embedding_provider.api_key': keySetting('API key of the provider.', [
    'CATALOG_EMBEDDING_API_KEY',
  ]),
  'embedding_provider.base_url': addressSetting('API URL of the provider.', [
    'CATALOG_EMBEDDING_BASE_URL',
  ]),
  'embedding_provider.openai.model': providerModel('openai', 'CATALOG_OPENAI_MODEL'),
  'embedding_provider.openai.api_key': providerKey('openai', 'OPENAI_API_KEY'),
  'embedding_provider.openai.base_url': providerAddress('openai', 'CATALOG_OPENAI_BASE_URL'),
  'embedding_provider.openai.org': textSetting({
    summary: 'OpenAI organization to bill.',
    env: ['CATALOG_OPENAI_ORG'],
    default: undefined,
    check: matching(
      /^[\w-]{1,256}$/,
      'an organization id',
      INVALID_FIELD,
      'Write it as OpenAI shows it, such as `org-abc123`.',
    ),
  }),
  'embedding_provider.voyage.model': providerModel('voyage', 'CATALOG_VOYAGE_MODEL'),
  'embedding_provider.voyage.api_key': providerKey('voyage', 'VOYAGE_API_KEY'),
  'embedding_provider.voyage.base_url': providerAddress('voyage', 'CATALOG_VOYAGE_BASE_URL'),
  'embedding_provider.cohere.model': providerModel('cohere', 'CATALOG_COHERE_MODEL'),
  'embedding_provider.cohere.api_key': providerKey('cohere', 'COHERE_API_KEY'),
  'embedding_provider.cohere.base_url': providerAddress('cohere', 'CATALOG_COHERE_BASE_URL'),
  'embedding_provider.ollama.model': providerModel('ollama', 'CATALOG_OLLAMA_MODEL'),
  'embedding_provider.ollama.api_key': providerKey('ollama', 'OLLAMA_API_KEY'),
  'embedding_provider.ollama.base_url': providerAddress('ollama', 'CATALOG_OLLAMA_URL'),
  'embedding_provider.timeout_seconds': numberSetting(
    { min: 1, max: 100 },
    {
      summary: 'Timeout in seconds for embedding a batch of artifacts.',
      env: ['CATALOG_EMBEDDING_TIMEOUT_SECONDS'],
      default: 30,
    },
  ),
  'embedding_provider.query_timeout_ms': numberSetting(
    { min: 50, max: 30_000 },
    {
      summary:
        'Timeout in milliseconds for embedding a query. After it, search falls back to keywords and reports that.',
      env: ['CATALOG_EMBEDDING_QUERY_TIMEOUT_MS'],
      default: 2000,
    },
  ),
  'embedding_provider.concurrency': numberSetting(
    { min: 1, max: 64 },
    {
      summary: 'Maximum number of concurrent batches per process.',
      env: ['CATALOG_EMBEDDING_CONCURRENCY'],
      default: 4,
    },
  ),
  'embedding_provider.similarity_floor': {
    summary:
      'Minimum cosine similarity for a match by meaning alone, for remote models. The built-in model has its own threshold.',
    env: ['CATALOG_EMBEDDING_SIMILARITY_FLOOR'],
    default: 0.2,
    check: cosine(),
    fromText: (value) => (/^-?[01](?:\.\d{1,6})?$/.test(value) ? Number(value) : value),
  } satisfies Setting<number, number>,
  'search.fusion': choiceSetting(['cosine', 'rrf'], {
    summary:
      'How keyword and semantic results are combined: `cosine` adds scores, `rrf` adds ranks, for models whose scores are not cosines.',
    env: ['CATALOG_SEARCH_FUSION'],
    default: 'cosine',
  }),
} as const satisfies Readonly<Record<string, Setting>>;

function providerModel(provider: RemoteProvider, variable: string): Setting<string, undefined> {
  return {
    ...textSetting({
      summary: `Model to request from ${provider}.`,
      env: [variable],
      default: undefined,
      check: modelName(),
    }),
    default_text: PROVIDERS[provider].model,
  };
}

function providerKey(provider: RemoteProvider, variable: string): Setting<string, undefined> {
  return keySetting(`${provider} API key.`, [variable]);
}

function providerAddress(provider: RemoteProvider, variable: string): Setting<string, undefined> {
  return {
    ...addressSetting(`URL of ${provider} or a compatible API.`, [variable]),
    default_text: PROVIDERS[provider].base_url,
  };
}

function keySetting(summary: string, env: readonly string[]): Setting<string, undefined> {
  // The value is validated only on use, because programs of other vendors may use the same environment variable.
  const check = text(MAX_PROSE);
  return textSetting({ summary, env, default: undefined, check, mask: () => '***' });
}

function addressSetting(summary: string, env: readonly string[]): Setting<string, undefined> {
  const check = addressLike('https://api.example.com/v1');
  return textSetting({ summary, env, default: undefined, check });
}

/** Checks the name of a model, which becomes part of the name of stored vectors. */
function modelName(): Check<string> {
  return matching(
    /^[\w.:@-]+(?:\/[\w.:@-]+)*$/,
    'a model name',
    INVALID_FIELD,
    'Write it as the provider does, such as `text-embedding-3-small`.',
  );
}

function cosine(): Check<number> {
  const shape = 'a number from -1 to 1';
  return {
    shape,
    read(value, at) {
      if (typeof value === 'number' && value >= -1 && value <= 1) return value;
      at.problems.push({
        path: [...at.path],
        code: INVALID_FIELD,
        message: `\`${at.path.join('.')}\` must be ${shape}.`,
        fix: 'Write it in decimals, such as 0.25.',
      });
      return undefined;
    },
  };
}
