import type { SearchDocument } from '@catalog/core/ports/search-index';
import type { Store } from '@catalog/core/ports/store';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { newLayer } from '@catalog/testkit/layer-record';
import { AREAS, TOPICS } from '../../../bench/fixtures/catalog.ts';
import { BENCH_MODEL, modelVectors } from '../../../bench/fixtures/pg-vectors.ts';
import {
  COMMON_WORD,
  INGESTED_LAYER,
  putArtifacts,
} from '../../../bench/fixtures/stored-catalog.ts';
import { makeVocabulary } from '../../../bench/fixtures/vocabulary.ts';
import { seededRandom } from '../../../tools/seeded-random.ts';

export interface WorldArtifact {
  layer: number;
  document: SearchDocument;
  /** True if searches can find it. Either way, it hides its id in lower layers. */
  searched: boolean;
  /** Undefined if it is not embedded yet. */
  vector: Float32Array | undefined;
}

export interface World {
  layers: readonly number[];
  artifacts: readonly WorldArtifact[];
}

const LAYERS = 12;
const VOCABULARY = 8_000;
const IN_A_DOMAIN = 40;
const TYPES = ['skill', 'skill', 'skill', 'rule', 'command', 'agent', 'context'];
/** Artifacts per hundred: with an id of another layer, not searchable, without a vector, and copies. */
const SHARED = 20;
const UNSEARCHED = 3;
const WAITING = 2;
const COPIED = 3;

export function makeWorld(n: number, seed: string): World {
  const random = seededRandom(`world ${seed}`);
  const vocabulary = makeVocabulary(random, VOCABULARY);
  const vectorAt = modelVectors(n, seed);
  const layers = Array.from({ length: LAYERS }, (_, place) => place + 1);
  const artifacts: WorldArtifact[] = [];
  const taken = new Set<string>();
  const isOne = (of_hundred: number): boolean => random.int(100) < of_hundred;

  function nameAt(place: number, layer: number): string {
    const other = artifacts[random.int(place || 1)];
    const shared = other?.document.id ?? '';
    if (isOne(SHARED) && other !== undefined && !taken.has(`${layer} ${shared}`)) return shared;
    const domain = Math.floor(place / IN_A_DOMAIN);
    const area = AREAS[domain % AREAS.length];
    const topic = TOPICS[Math.floor(domain / AREAS.length) % TOPICS.length];
    return `${area}/${topic}/g${domain}/${vocabulary.pick()}-${place}`;
  }

  function describe(id: string): SearchDocument {
    const words = Array.from({ length: 8 + random.int(16) }, () => vocabulary.pick());
    if (isOne(29)) words.push(COMMON_WORD);
    return {
      id,
      type: random.pick(TYPES),
      tags: [...new Set([random.pick(AREAS), vocabulary.words[random.int(100)] ?? ''])],
      name: id.slice(id.lastIndexOf('/') + 1),
      description: `${words.join(' ')}.`,
      when_to_use: random.int(3) === 0 ? [`${vocabulary.pick()} ${vocabulary.pick()}`] : [],
    };
  }

  for (let place = 0; place < n; place += 1) {
    const layer = 1 + Math.floor(LAYERS * random.next() ** 2);
    const id = nameAt(place, layer);
    taken.add(`${layer} ${id}`);
    const copied = isOne(COPIED) ? artifacts[random.int(place || 1)] : undefined;
    const document = describe(id);
    artifacts.push({
      layer,
      document:
        copied === undefined ? document : { ...document, description: copied.document.description },
      searched: !isOne(UNSEARCHED),
      vector: isOne(WAITING) ? undefined : (copied?.vector ?? vectorAt(place)),
    });
  }
  return { layers, artifacts };
}

const BATCH_SIZE = 1_000;

/** Writes the world to a store, like ingests and the embedding worker. */
export async function storeWorld(store: Store, { layers, artifacts }: World): Promise<void> {
  await store.vectors.addModel(BENCH_MODEL);
  const ids = new Map<number, string>();
  await store.transaction(async (writes) => {
    for (const number of layers) {
      const id = `layer-${number}`;
      const layer = newLayer({ ...INGESTED_LAYER, id, order: number * 10 });
      ids.set((await writes.layers.create(ONLY_TENANT, layer)).number, id);
    }
  });
  for (const [number, held] of Map.groupBy(artifacts, ({ layer }) => layer)) {
    const layer = { id: ids.get(number) ?? '', number };
    for (let start = 0; start < held.length; start += BATCH_SIZE) {
      await storeSome(store, layer, held.slice(start, start + BATCH_SIZE));
    }
  }
  await store.vectors.settle(BENCH_MODEL.name);
}

async function storeSome(
  store: Store,
  layer: { id: string; number: number },
  artifacts: readonly WorldArtifact[],
): Promise<void> {
  await putArtifacts(
    store,
    layer,
    artifacts.map(({ document }) => document),
  );
  const unsearched = artifacts.filter(({ searched }) => !searched);
  await store.transaction(({ search }) =>
    search.removeDocuments(
      ONLY_TENANT,
      layer.number,
      unsearched.map(({ document }) => document.id),
    ),
  );
  const vectors = artifacts.flatMap(({ document, vector }) =>
    vector === undefined ? [] : [{ id: document.id, vector }],
  );
  const shelf = { layer: layer.number, kind: 'artifact', model: BENCH_MODEL.name } as const;
  await store.vectors.putVectors(ONLY_TENANT, shelf, vectors);
}
