import type { SearchDocument } from '@catalog/core/ports/search-index';
import type { Store } from '@catalog/core/ports/store';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import type { Registry } from '@catalog/server/registry/registry';
import { embedAllWaiting } from '@catalog/server/registry/search/embed-all-waiting';
import { newLayer } from '@catalog/testkit/layer-record';
import { INGESTED_LAYER, putArtifacts } from '../../../bench/fixtures/stored-catalog.ts';
import { makeVocabulary } from '../../../bench/fixtures/vocabulary.ts';
import { seededRandom } from '../../../tools/seeded-random.ts';
import { serveHere } from '../authz-matrix/serve-here.ts';
import { observableContent, openTimedClient, type TimedClient } from './timed-client.ts';
import type { SecretStage } from './fixture.ts';

const VISIBLE = 300;
const HIDDEN_EACH_ROUND = 10;
const WORDS = 400;

/**
 * Adds and removes hidden artifacts with the same words and domains, some with the id of a visible
 * artifact. Returns the number of changed responses and of comparisons.
 */
export async function countChangedResponses(
  stage: SecretStage,
  rounds: number,
  seed: string,
): Promise<{ answers: number; changed: string[] }> {
  const random = seededRandom(`hidden changes ${seed}`);
  const vocabulary = makeVocabulary(random, WORDS);
  const documentAt = (place: number): SearchDocument => ({
    id: `area${place % 7}/part${place % 3}/thing${place}`,
    type: random.pick(['skill', 'rule', 'agent']),
    tags: [random.pick(['red', 'green'])],
    name: `thing${place}`,
    description: `${Array.from({ length: 12 }, () => vocabulary.pick()).join(' ')}.`,
    when_to_use: [],
  });
  const served = await serveHere(stage.registries[0].settings);
  const { store } = served.registry;
  const client = openTimedClient(served.url, stage.caller);
  const changed: string[] = [];
  let answers = 0;
  try {
    const seen = await addLayer(store, 'catalogue', true);
    await putArtifacts(
      store,
      seen,
      Array.from({ length: VISIBLE }, (_, place) => documentAt(place)),
    );
    await touch(store, seen.number);
    await embedAll(served.registry);
    const paths = listPaths(() => vocabulary.pick());
    const first = await facesOf(client, paths);
    for (let round = 0; round < rounds; round += 1) {
      const hidden = await addLayer(store, `hidden${round}`, false);
      const places = Array.from({ length: HIDDEN_EACH_ROUND }, () => random.int(2 * VISIBLE));
      await putArtifacts(store, hidden, [...new Set(places)].map(documentAt));
      await touch(store, hidden.number);
      await embedAll(served.registry);
      changed.push(...differing(paths, first, await facesOf(client, paths), 'added'));
      await store.transaction(({ layers }) => layers.purge(ONLY_TENANT, hidden.number));
      changed.push(...differing(paths, first, await facesOf(client, paths), 'removed'));
      answers += 2 * paths.length;
    }
  } finally {
    client.close();
    await served.close();
  }
  return { answers, changed };
}

async function addLayer(
  store: Store,
  id: string,
  organization: boolean,
): Promise<{ id: string; number: number }> {
  const layer = newLayer({ ...INGESTED_LAYER, id, organization, order: 10_000 });
  return store.transaction(({ layers }) => layers.create(ONLY_TENANT, layer));
}

async function touch(store: Store, layer: number): Promise<void> {
  await store.transaction(({ layers }) => layers.touch(ONLY_TENANT, layer));
}

/** Embeds the artifacts, because no job does it here. */
async function embedAll(registry: Registry): Promise<void> {
  const { embedder } = registry.search;
  if (embedder === undefined) throw new Error('nothing to search by meaning with');
  const { signal } = new AbortController();
  await embedAllWaiting(registry, embedder, () => undefined, signal);
}

/** Returns the paths of all searches and lists, with words of visible and hidden artifacts. */
function listPaths(word: () => string): string[] {
  const words = Array.from({ length: 12 }, word);
  return [
    ...words.map((one) => `/v1/search_artifacts?query=${one}`),
    ...words.map(
      (one, at) => `/v1/search_artifacts?query=${one}%20${words[at - 1] ?? ''}&top_k=50`,
    ),
    '/v1/search_artifacts',
    '/v1/search_artifacts?type=rule&tags=red&top_k=50',
    '/v1/search_artifacts?scope=area3',
    '/v1/search_domains?query=area',
    '/v1/search_domains',
    '/v1/load_domain',
    '/v1/load_domain?path=area1&depth=3',
    '/v1/domain/analyze',
    '/v1/domain/analyze?path=area2',
    '/v1/catalog',
    '/v1/catalog?scope=area4',
    '/v1/sync/manifest',
    '/v1/scope/preview',
    '/v1/layers',
    '/v1/layers?deleted=true',
    '/v1/dependents?id=area0/part0/thing0',
    '/v1/artifacts/versions?id=area0/part0/thing0',
    '/v1/load_artifact?id=area0/part0/thing0',
  ];
}

async function facesOf(client: TimedClient, paths: readonly string[]): Promise<string[]> {
  const faces: string[] = [];
  for (const path of paths)
    faces.push(observableContent(await client.send({ method: 'GET', path }), '\0'));
  return faces;
}

function differing(
  paths: readonly string[],
  before: readonly string[],
  after: readonly string[],
  what: string,
): string[] {
  return paths.filter((_, at) => before[at] !== after[at]).map((path) => `${what}: ${path}`);
}
