import type { Embedder } from '@catalog/core/ports/embedder';
import { TEXT_VERSION } from '@catalog/core/search/embedded-text';
import { MODEL as BUILTIN } from '@catalog/embedder/model';
import { findModel, REMOTE_PROVIDERS, type RemoteProvider } from '../../config/embedding-models.ts';
import {
  loadProviderAccess,
  loadProviderModel,
  type ProviderModel,
} from '../../config/embedding-provider.ts';
import type { Settings } from '../../config/settings.ts';
import { createBuiltinEmbedder } from './builtin-embedder.ts';
import { createCircuitBreaker, type BreakerState } from './circuit-breaker.ts';
import { COHERE_PROTOCOL } from './cohere-protocol.ts';
import { createLane } from '@catalog/core/lane';
import { OLLAMA_PROTOCOL } from './ollama-protocol.ts';
import { OPENAI_PROTOCOL } from './openai-protocol.ts';
import type { ProviderProtocol } from './provider-protocol.ts';
import { cacheQueries } from './query-cache.ts';
import {
  createRemoteEmbedder,
  type EmbedderDependencies,
  type ProviderConnection,
} from './remote-embedder.ts';
import { VOYAGE_PROTOCOL } from './voyage-protocol.ts';

export interface Embedders {
  /** Undefined if embeddings are disabled. */
  embedder: Embedder | undefined;
  /** Opens the embedder of another stored model if the settings allow its provider. */
  openEmbedderFor: (model: string) => Embedder | undefined;
  listProviders: () => { provider: RemoteProvider; state: BreakerState }[];
}

const PROTOCOLS: Readonly<Record<RemoteProvider, ProviderProtocol>> = {
  openai: OPENAI_PROTOCOL,
  voyage: VOYAGE_PROTOCOL,
  cohere: COHERE_PROTOCOL,
  ollama: OLLAMA_PROTOCOL,
};

/** Maximum number of concurrent queries to a provider per process. */
const QUERIES_AT_ONCE = 16;

/** Opens the embedders of the settings. Sends no request, so a registry can start while its provider is unavailable. */
export function openEmbedders(settings: Settings, world: EmbedderDependencies): Embedders {
  const lines = new Map<RemoteProvider, ProviderConnection>();
  /** Embedders are reused, so that the query cache of each survives between searches. */
  const opened = new Map<string, Embedder>();

  function getProviderConnection(provider: RemoteProvider): ProviderConnection {
    const line = lines.get(provider) ?? openProviderConnection(settings, provider, world);
    lines.set(provider, line);
    return line;
  }

  function open(name: string, { provider, model, dimensions }: NamedModel): Embedder {
    const known = findModel(provider, model);
    const embedder = createRemoteEmbedder(
      getProviderConnection(provider),
      {
        name,
        model,
        dimensions,
        shortened: known !== undefined && dimensions !== known.dimensions,
        prefixes: known?.prefixes ?? { document: '', query: '' },
        floor: settings['embedding_provider.similarity_floor'],
      },
      world,
    );
    return cacheQueries(embedder);
  }

  function openEmbedderFor(name: string): Embedder | undefined {
    const known = opened.get(name);
    if (known !== undefined || settings.no_embeddings) return known;
    const embedder = openNamed(name);
    if (embedder !== undefined) opened.set(name, embedder);
    return embedder;
  }

  function openNamed(name: string): Embedder | undefined {
    // The builtin tables are the same for every text version.
    if (name.startsWith(BUILTIN_PREFIX)) return createBuiltinEmbedder(name);
    const named = readModelName(name);
    const { 'embedding_provider.type': type, 'embedding_provider.previous': previous } = settings;
    if (named === undefined || (named.provider !== type && named.provider !== previous)) {
      return undefined;
    }
    return open(name, named);
  }

  const name = configuredModel(settings);
  return {
    embedder: name === undefined ? undefined : openEmbedderFor(name),
    openEmbedderFor,
    listProviders: () =>
      [...lines].map(([provider, { breaker }]) => ({ provider, state: breaker.state() })),
  };
}

const BUILTIN_PREFIX = `builtin/${BUILTIN.name}/${BUILTIN.dimensions}/t`;

interface NamedModel extends ProviderModel {
  provider: RemoteProvider;
}

function configuredModel(settings: Settings): string | undefined {
  const { no_embeddings, 'embedding_provider.type': type } = settings;
  if (no_embeddings || type === 'none') return undefined;
  if (type === 'builtin') return `${BUILTIN_PREFIX}${TEXT_VERSION}`;
  const { model, dimensions } = loadProviderModel(settings, type);
  return `${type}/${model}/${dimensions}/t${TEXT_VERSION}`;
}

/** `<provider>/<model>/<dimensions>/t<text version>`; the model name may contain slashes. */
const MODEL_NAME = /^(?<provider>[a-z]+)\/(?<model>.+)\/(?<dimensions>[1-9]\d{0,4})\/t\d{1,9}$/;

function readModelName(name: string): NamedModel | undefined {
  const parts = MODEL_NAME.exec(name)?.groups;
  const provider = REMOTE_PROVIDERS.find((known) => known === parts?.['provider']);
  if (parts === undefined || provider === undefined) return undefined;
  return { provider, model: parts['model'] ?? '', dimensions: Number(parts['dimensions']) };
}

function openProviderConnection(
  settings: Settings,
  provider: RemoteProvider,
  { monotonicMs }: EmbedderDependencies,
): ProviderConnection {
  const parallel = settings['embedding_provider.concurrency'];
  return {
    parallel,
    protocol: PROTOCOLS[provider],
    access: loadProviderAccess(settings, provider),
    breaker: createCircuitBreaker(monotonicMs),
    lanes: {
      document: createLane(parallel),
      query: createLane(QUERIES_AT_ONCE),
    },
    timeouts_ms: {
      document: settings['embedding_provider.timeout_seconds'] * 1000,
      query: settings['embedding_provider.query_timeout_ms'],
    },
  };
}
