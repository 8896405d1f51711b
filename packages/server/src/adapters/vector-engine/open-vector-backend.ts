import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Embedder } from '@catalog/core/ports/embedder';
import type { Store } from '@catalog/core/ports/store';
import type { VectorEngine } from '@catalog/core/ports/vector-engine';
import type { VectorIndex } from '@catalog/core/ports/vector-index';
import { TEXT_VERSION } from '@catalog/core/search/embedded-text';
import type { Settings } from '../../config/settings.ts';
import { loadVectorBackend, type VectorBackendChoice } from '../../config/vector-backend.ts';
import type { SendRequest } from '../egress/send-request.ts';
import { externalVectorIndex } from './external-vector-index.ts';
import { openPinecone } from './pinecone/open-pinecone.ts';
import { openQdrant } from './qdrant/open-qdrant.ts';
import { openWeaviate } from './weaviate/open-weaviate.ts';
import { unusable } from './call-engine.ts';
import { textToVector } from './text-vector.ts';

export interface VectorBackend {
  vectors: VectorIndex;
  external: boolean;
  embedder: Embedder | undefined;
  openEmbedder: (model: string) => Embedder | undefined;
}

export interface VectorBackendDependencies {
  store: Store;
  send: SendRequest;
  breaker: EngineBreaker;
  embedders: {
    embedder: Embedder | undefined;
    openEmbedderFor(model: string): Embedder | undefined;
  };
}

/** Separates the model name from the engine that stores its vectors. Model names never contain this character. */
const AT = '#';

/**
 * Opens the configured vector engine. A wrong configuration stops startup. An unavailable engine does not: searches use
 * words until it recovers.
 */
export async function openVectorBackend(
  settings: Settings,
  { store, send, breaker, embedders }: VectorBackendDependencies,
): Promise<VectorBackend> {
  const choice = loadVectorBackend(settings);
  if (choice.kind === 'store') {
    return {
      vectors: store.vectors,
      external: false,
      embedder: embedders.embedder,
      // Vectors in an engine that is no longer configured are unreachable.
      openEmbedder: (model) => (model.includes(AT) ? undefined : embedders.openEmbedderFor(model)),
    };
  }
  const engine = guardEngine(openEngine(choice, send), breaker);
  await checkIfAvailable(engine);
  const place = AT + placeOf(choice);
  const own_model = modelOf(choice);
  const outside = externalVectorIndex(engine, store, { embeds: own_model !== undefined });
  const vectors = routeVectors((model) => (model.endsWith(place) ? outside : store.vectors));

  function withEngineSuffix(embedder: Embedder | undefined): Embedder | undefined {
    if (embedder === undefined) return undefined;
    const { model } = embedder;
    return { ...embedder, model: { ...model, name: model.name + place } };
  }

  function openEmbedder(model: string): Embedder | undefined {
    if (model === embedder?.model.name) return embedder;
    if (!model.includes(AT)) return embedders.openEmbedderFor(model);
    if (!model.endsWith(place)) return undefined;
    return withEngineSuffix(embedders.openEmbedderFor(model.slice(0, -place.length)));
  }

  const embedder =
    own_model === undefined || settings.no_embeddings
      ? withEngineSuffix(embedders.embedder)
      : createSelfEmbedder({
          name: `${choice.kind}/${own_model}/t${TEXT_VERSION}${place}`,
          floor: settings['embedding_provider.similarity_floor'],
          batch_size: engine.batch_size,
        });
  return { vectors, external: true, embedder, openEmbedder };
}

type EngineChoice = Exclude<VectorBackendChoice, { kind: 'store' }>;

function openEngine(choice: EngineChoice, send: SendRequest): VectorEngine {
  if (choice.kind === 'pinecone') return openPinecone(choice, send);
  return choice.kind === 'weaviate' ? openWeaviate(choice, send) : openQdrant(choice, send);
}

async function checkIfAvailable(engine: VectorEngine): Promise<void> {
  try {
    await engine.check();
  } catch (error) {
    if (!(error instanceof CatalogError && error.code === 'registry.unavailable')) throw error;
  }
}

function placeOf(choice: EngineChoice): string {
  if (choice.kind === 'pinecone') return `pinecone/${choice.index}/${choice.namespace}`;
  return `${choice.kind}/${choice.collection}`;
}

function modelOf(choice: EngineChoice): string | undefined {
  return choice.kind === 'weaviate' ? choice.vectorizer : choice.inference_model;
}

interface EngineBreaker {
  enter():
    | {
        kind: 'admitted';
        end(outcome: { kind: 'answered' } | { kind: 'failed'; reason: string }): void;
      }
    | { kind: 'refused'; reason: string };
}

/** Calls an engine only if it is available, so that searches do not wait for it. */
function guardEngine(engine: VectorEngine, breaker: EngineBreaker): VectorEngine {
  async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    const admission = breaker.enter();
    if (admission.kind === 'refused') throw unusable(engine.name, 'it did not respond');
    try {
      const result = await work();
      admission.end({ kind: 'answered' });
      return result;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      admission.end({ kind: 'failed', reason });
      throw error;
    }
  }

  return {
    name: engine.name,
    batch_size: engine.batch_size,
    check: (...given) => guarded(() => engine.check(...given)),
    put: (...given) => guarded(() => engine.put(...given)),
    remove: (...given) => guarded(() => engine.remove(...given)),
    removeModel: (...given) => guarded(() => engine.removeModel(...given)),
    count: (...given) => guarded(() => engine.count(...given)),
    query: (...given) => guarded(() => engine.query(...given)),
  };
}

/** Routes each model to its vector index: while a new engine is being filled, searches use the vectors in the store. */
function routeVectors(indexOf: (model: string) => VectorIndex): VectorIndex {
  return {
    addModel: (model) => indexOf(model.name).addModel(model),
    dropModel: (name) => indexOf(name).dropModel(name),
    putVectors: (tenant, shelf, vectors) => indexOf(shelf.model).putVectors(tenant, shelf, vectors),
    removeVectors: (tenant, shelf, ids) => indexOf(shelf.model).removeVectors(tenant, shelf, ids),
    countVectors: (tenant, model) => indexOf(model).countVectors(tenant, model),
    settle: (model) => indexOf(model).settle(model),
    searchVectors: (tenant, layers, query) =>
      indexOf(query.model).searchVectors(tenant, layers, query),
    compareVectors: (tenant, vectorQuery, documents) =>
      indexOf(vectorQuery.model).compareVectors(tenant, vectorQuery, documents),
    searchDomainVectors: (tenant, layers, query) =>
      indexOf(query.model).searchDomainVectors(tenant, layers, query),
  };
}

function createSelfEmbedder({
  name,
  floor,
  batch_size,
}: {
  name: string;
  floor: number;
  batch_size: number;
}): Embedder {
  return {
    // The engine determines the number of dimensions.
    model: { name, dimensions: 0 },
    floor,
    leastNearest: async () => floor,
    batch_size,
    parallel: 1,
    embed: async (texts) => texts.map(textToVector),
  };
}
