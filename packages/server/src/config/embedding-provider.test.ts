import { describe, expect, test } from 'vitest';
import { loadVariables, refusalOf } from '@catalog/testkit/settings-in-test';
import { describeSettings } from './describe-settings.ts';
import { loadProviderAccess, loadProviderModel } from './embedding-provider.ts';

const LOCAL = { CATALOG_EGRESS_ALLOWED_HOSTS: '127.0.0.1:11434' };

describe('embedding provider', () => {
  test.each([
    ['openai', { OPENAI_API_KEY: 'k' }, 'text-embedding-3-small', 1536],
    ['voyage', { VOYAGE_API_KEY: 'k' }, 'voyage-3', 1024],
    ['cohere', { COHERE_API_KEY: 'k' }, 'embed-v4.0', 1536],
    ['ollama', LOCAL, 'nomic-embed-text', 768],
  ] as const)('%s needs only its API key', (provider, env, model, dimensions) => {
    const { settings } = loadVariables({ ...env, CATALOG_EMBEDDING_PROVIDER: provider });
    expect(loadProviderModel(settings, provider)).toEqual({ model, dimensions });
    expect(loadProviderAccess(settings, provider).api_key).toBe(
      provider === 'ollama' ? undefined : 'k',
    );
  });

  test.each([
    ['openai', 'OPENAI_API_KEY'],
    ['voyage', 'VOYAGE_API_KEY'],
    ['cohere', 'COHERE_API_KEY'],
  ])('%s without a key is rejected with the name of the setting', (provider, variable) => {
    expect(refusalOf({ CATALOG_EMBEDDING_PROVIDER: provider })).toMatchObject({
      code: 'config.invalid',
      details: { key: `embedding_provider.${provider}.api_key` },
      suggested_action: expect.stringContaining(variable),
    });
  });

  test('with a custom base URL needs no key', () => {
    const { settings } = loadVariables({
      CATALOG_EMBEDDING_PROVIDER: 'openai',
      CATALOG_OPENAI_BASE_URL: 'https://models.example.com/v1/',
    });
    expect(loadProviderAccess(settings, 'openai')).toMatchObject({
      base_url: 'https://models.example.com/v1',
      api_key: undefined,
    });
  });

  test('prefers its own settings to the general ones', () => {
    const { settings } = loadVariables({
      CATALOG_EMBEDDING_PROVIDER: 'cohere',
      CATALOG_EMBEDDING_API_KEY: 'general',
      CATALOG_EMBEDDING_MODEL: 'general',
      CATALOG_EMBEDDING_DIMENSIONS: '12',
      COHERE_API_KEY: 'own',
      CATALOG_COHERE_MODEL: 'embed-english-v3.0',
      OPENAI_API_KEY: 'of-another',
      CATALOG_OPENAI_ORG: 'org-1',
    });
    expect(loadProviderAccess(settings, 'cohere')).toMatchObject({
      api_key: 'own',
      org: undefined,
    });
    expect(loadProviderModel(settings, 'cohere').model).toBe('embed-english-v3.0');
    expect(loadProviderAccess(settings, 'openai')).toMatchObject({
      api_key: 'of-another',
      org: 'org-1',
    });
  });

  test.each([
    [{}, 'http://127.0.0.1:11434', '127.0.0.1:11434'],
    [{ CATALOG_OLLAMA_URL: 'http://gpu.corp:11434' }, 'plain http', 'gpu.corp:11434'],
    [{ CATALOG_OLLAMA_URL: 'https://10.0.0.7' }, 'private', '10.0.0.7'],
    [{ CATALOG_OLLAMA_URL: 'https://[::1]:8443' }, 'loopback', '[::1]:8443'],
  ])('at %o is rejected unless its host is listed', (env, addressKind, host) => {
    const chosen = { ...env, CATALOG_EMBEDDING_PROVIDER: 'ollama' };
    expect(refusalOf(chosen)).toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining(addressKind),
      details: { key: 'egress.allowed_hosts' },
      suggested_action: expect.stringContaining(`add ${host} to egress.allowed_hosts`),
    });
    const { settings } = loadVariables({ ...chosen, CATALOG_EGRESS_ALLOWED_HOSTS: host });
    expect(settings['embedding_provider.type']).toBe('ollama');
  });

  test('with an unknown model needs a setting for the dimensions', () => {
    const env = { ...LOCAL, CATALOG_EMBEDDING_PROVIDER: 'ollama', CATALOG_OLLAMA_MODEL: 'mine' };
    expect(refusalOf(env)).toMatchObject({ details: { key: 'embedding_provider.dimensions' } });
    const { settings } = loadVariables({ ...env, CATALOG_EMBEDDING_DIMENSIONS: '99' });
    expect(loadProviderModel(settings, 'ollama')).toEqual({ model: 'mine', dimensions: 99 });
  });

  test('of earlier vectors must be reachable too', () => {
    expect(refusalOf({ CATALOG_EMBEDDING_PREVIOUS_PROVIDER: 'openai' })).toMatchObject({
      details: { key: 'embedding_provider.openai.api_key' },
    });
  });
});

describe('built-in model', () => {
  test.each([
    'CATALOG_EMBEDDING_MODEL',
    'CATALOG_EMBEDDING_DIMENSIONS',
    'CATALOG_EMBEDDING_API_KEY',
  ])('is rejected in combination with %s', (variable) => {
    expect(refusalOf({ [variable]: '7' })).toMatchObject({
      code: 'config.invalid',
      details: { key: 'embedding_provider.type' },
      suggested_action: expect.stringContaining('CATALOG_EMBEDDING_PROVIDER'),
    });
  });

  test('ignores keys that other programs use', () => {
    const { settings } = loadVariables({
      OPENAI_API_KEY: 'odd key\n',
      COHERE_API_KEY: 'x'.repeat(5000),
    });
    expect(settings['embedding_provider.type']).toBe('builtin');
  });
});

test('disabled embeddings need no provider', () => {
  const env = { CATALOG_NO_EMBEDDINGS: 'true', CATALOG_EMBEDDING_PROVIDER: 'openai' };
  expect(loadVariables(env).settings.no_embeddings).toBe(true);
});

describe('API keys', () => {
  test('are never shown', () => {
    const secret = 'sk-secret';
    const shown = describeSettings(
      loadVariables({
        CATALOG_EMBEDDING_PROVIDER: 'openai',
        CATALOG_EMBEDDING_API_KEY: secret,
        OPENAI_API_KEY: secret,
        VOYAGE_API_KEY: secret,
        COHERE_API_KEY: secret,
        OLLAMA_API_KEY: secret,
      }),
    );
    expect(JSON.stringify(shown)).not.toContain(secret);
    expect(shown.filter(({ value }) => value === '***')).toHaveLength(5);
  });

  test('with a line break are rejected if they are used, without being repeated', () => {
    const error = refusalOf({ CATALOG_EMBEDDING_PROVIDER: 'openai', OPENAI_API_KEY: 'sk-a\nb' });
    expect(error).toMatchObject({ details: { key: 'embedding_provider.openai.api_key' } });
    expect(JSON.stringify(error.toEnvelope())).not.toContain('sk-a');
  });
});

test.each([
  ['CATALOG_EMBEDDING_PROVIDER', 'opnai'],
  ['CATALOG_EMBEDDING_MODEL', 'two words'],
  ['CATALOG_EMBEDDING_SIMILARITY_FLOOR', '1.5'],
  ['CATALOG_EMBEDDING_SIMILARITY_FLOOR', 'much'],
  ['CATALOG_OLLAMA_URL', 'localhost:11434'],
  ['CATALOG_SEARCH_FUSION', 'sum'],
])('the setting %s=%s is rejected', (name, value) => {
  expect(refusalOf({ [name]: value })).toMatchObject({ details: { key: name } });
});

test('the similarity floor is a number', () => {
  const { settings } = loadVariables({ CATALOG_EMBEDDING_SIMILARITY_FLOOR: '0.35' });
  expect(settings['embedding_provider.similarity_floor']).toBe(0.35);
});
