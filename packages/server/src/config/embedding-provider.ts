import { findModel, PROVIDERS, type RemoteProvider } from './embedding-models.ts';
import { egressProblem } from './egress-problem.ts';
import { invalidSetting } from './invalid-setting.ts';
import type { SettingKey, Settings } from './settings.ts';

export interface ProviderAccess {
  provider: RemoteProvider;
  base_url: string;
  api_key: string | undefined;
  /** Organization to bill, for providers with several. */
  org: string | undefined;
}

export interface ProviderModel {
  model: string;
  dimensions: number;
}

export function checkEmbeddings(settings: Settings): void {
  if (settings.no_embeddings) return;
  const { 'embedding_provider.type': type, 'embedding_provider.previous': previous } = settings;
  if (previous !== undefined) loadProviderAccess(settings, previous);
  if (type !== 'builtin' && type !== 'none') {
    loadProviderAccess(settings, type);
    loadProviderModel(settings, type);
    return;
  }
  const unused = PROVIDER_SETTINGS.find((key) => settings[key] !== undefined);
  if (unused === undefined) return;
  throw invalidSetting(
    'embedding_provider.type',
    `${unused} is set, but embedding_provider.type is ${type}, which does not use it.`,
    `Set the provider in embedding_provider.type or CATALOG_EMBEDDING_PROVIDER, or remove ${unused}.`,
    ['embedding_provider.type', unused],
  );
}

const PROVIDER_SETTINGS = [
  'embedding_provider.model',
  'embedding_provider.dimensions',
  'embedding_provider.api_key',
  'embedding_provider.base_url',
] as const satisfies readonly SettingKey[];

/** Returns the connection settings of a provider. Settings of this provider override the general ones. */
export function loadProviderAccess(settings: Settings, provider: RemoteProvider): ProviderAccess {
  const in_use = settings['embedding_provider.type'] === provider;
  const usual = PROVIDERS[provider];
  const base_url =
    settings[`embedding_provider.${provider}.base_url`] ??
    (in_use ? settings['embedding_provider.base_url'] : undefined) ??
    usual.base_url;
  const api_key =
    settings[`embedding_provider.${provider}.api_key`] ??
    (in_use ? settings['embedding_provider.api_key'] : undefined);
  // A compatible service at another URL may need no key.
  if (api_key === undefined && usual.key_variable !== undefined && base_url === usual.base_url) {
    throw invalidSetting(
      `embedding_provider.${provider}.api_key`,
      `The embedding provider ${provider} needs an API key, but none is set.`,
      `Set ${usual.key_variable} or embedding_provider.${provider}.api_key. The provider builtin needs no key.`,
    );
  }
  if (api_key !== undefined && !/^[\x21-\x7e]+$/.test(api_key)) {
    throw invalidSetting(
      `embedding_provider.${provider}.api_key`,
      `The API key of the embedding provider ${provider} contains invalid characters.`,
      'Check for a space or line break at its end.',
    );
  }
  checkAddress(settings, provider, base_url);
  const org = provider === 'openai' ? settings['embedding_provider.openai.org'] : undefined;
  return { provider, base_url, api_key, org };
}

export function loadProviderModel(settings: Settings, provider: RemoteProvider): ProviderModel {
  const model =
    settings[`embedding_provider.${provider}.model`] ??
    settings['embedding_provider.model'] ??
    PROVIDERS[provider].model;
  const dimensions =
    settings['embedding_provider.dimensions'] ?? findModel(provider, model)?.dimensions;
  if (dimensions !== undefined) return { model, dimensions };
  throw invalidSetting(
    'embedding_provider.dimensions',
    `The number of dimensions of ${model} is unknown.`,
    "Set embedding_provider.dimensions, or CATALOG_EMBEDDING_DIMENSIONS, to the value in the model's documentation.",
  );
}

/** Rejects a base URL that the egress rules reject on every request. */
function checkAddress(settings: Settings, provider: RemoteProvider, base_url: string): void {
  const problem = egressProblem(settings, base_url);
  if (problem === undefined) return;
  throw invalidSetting(
    'egress.allowed_hosts',
    `The embedding provider ${provider} is at ${base_url}: ${problem.reason}.`,
    `If texts may be sent there, add ${problem.host} to egress.allowed_hosts or CATALOG_EGRESS_ALLOWED_HOSTS.`,
    ['egress.allowed_hosts', `embedding_provider.${provider}.base_url`],
  );
}
