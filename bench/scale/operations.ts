import { seededRandom } from '../../tools/seeded-random.ts';
import type { CatalogModel } from '../fixtures/pg-catalog.ts';
import { makeQueries } from '../fixtures/search-queries.ts';
import { tagOf, type LoadRequest } from './load.ts';
import type { Mix } from './model.ts';

export const OPERATIONS = [
  'unchanged',
  'load-hot',
  'load-cold',
  'search-rare',
  'search-common',
  'search-sentence',
  'map',
  'list',
  'layers',
] as const;

export type Operation = (typeof OPERATIONS)[number];

export const OPERATION_TITLES: Readonly<Record<Operation, string>> = {
  unchanged: '`sync/manifest` with `If-None-Match`, answered 304',
  'load-hot': '`load_artifact` of what was loaded before',
  'load-cold': '`load_artifact` of what this process never loaded',
  'search-rare': '`search_artifacts`, one rare word',
  'search-common': '`search_artifacts`, one common word',
  'search-sentence': '`search_artifacts`, a sentence of ten words',
  map: '`load_domain` of a random domain',
  list: '`catalog?scope=` of a random domain',
  layers: '`layers`',
};

/**
 * Returns the number of revision queries of a request. A list of layers is always read from the
 * database; every other operation checks whether the cached view is current.
 */
export function revisionQueriesOf(operation: Operation): 0 | 1 {
  return operation === 'layers' ? 0 : 1;
}

export type Requests = Readonly<Record<Operation, () => LoadRequest>>;

const HOT = 20;
const MANIFEST = '/v1/sync/manifest';

/**
 * Creates requests to a catalog. Cold requests do not repeat until all artifacts have been
 * requested.
 */
export async function makeRequests(
  url: string,
  catalog: CatalogModel,
  seed: string,
): Promise<Requests> {
  const random = seededRandom(`scale ${seed}`);
  const queries = makeQueries(catalog, seed);
  const idAt = (place: number): string => catalog.documentAt(place).id;
  const anyDomain = (): string => {
    const id = idAt(random.int(catalog.n));
    return id.slice(0, id.lastIndexOf('/'));
  };
  const hot = Array.from({ length: HOT }, () => idAt(random.int(catalog.n)));
  const stride = strideFor(catalog.n);
  let cold = random.int(catalog.n);
  const load = (id: string): LoadRequest => ({ path: `/v1/load_artifact?id=${id}` });
  const search = (kind: 'rare' | 'common' | 'sentence'): LoadRequest => ({
    path: `/v1/search_artifacts?query=${encodeURIComponent(random.pick(queries[kind]))}&top_k=10`,
  });
  const headers = { 'If-None-Match': await tagOf(`${url}${MANIFEST}`) };
  return {
    unchanged: () => ({ path: MANIFEST, headers, status: 304 }),
    'load-hot': () => load(random.pick(hot)),
    'load-cold': () => {
      cold = (cold + stride) % catalog.n;
      return load(idAt(cold));
    },
    'search-rare': () => search('rare'),
    'search-common': () => search('common'),
    'search-sentence': () => search('sentence'),
    map: () => ({ path: `/v1/load_domain?path=${anyDomain()}` }),
    list: () => ({ path: `/v1/catalog?scope=${anyDomain()}` }),
    layers: () => ({ path: '/v1/layers' }),
  };
}

/** Visits every index before it repeats one, and jumps across layers and domains. */
function strideFor(n: number): number {
  const divides = (one: number, other: number): number =>
    other === 0 ? one : divides(other, one % other);
  let stride = Math.max(1, Math.round(n * 0.381_966));
  while (divides(n, stride) !== 1) stride += 1;
  return stride;
}

export function mixRequests(
  requests: Requests,
  mix: Mix<Operation>,
  seed: string,
): () => LoadRequest {
  const random = seededRandom(`mix ${seed}`);
  const shares = OPERATIONS.map((operation) => ({ operation, share: mix[operation] ?? 0 }));
  return () => {
    let left = random.next();
    const drawn = shares.find(({ share }) => (left -= share) < 0) ?? shares[0];
    if (drawn === undefined) throw new RangeError('no kind of request');
    return requests[drawn.operation]();
  };
}
