import type { DocumentKey } from '@catalog/core/ports/search-index';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import { listTargets } from '@catalog/core/artifact/targets-harness';
import { ANY_HARNESS } from '@catalog/core/search/document-terms';
import type { StoreReads } from '@catalog/core/ports/store';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import {
  MAX_NEAREST,
  type EngineHit,
  type EngineInput,
  type EnginePoint,
  type EngineQuery,
  type VectorEngine,
} from '@catalog/core/ports/vector-engine';
import type {
  QueryVector,
  DomainVectorHit,
  IdVector,
  VectorHit,
  VectorIndex,
  VectorQuery,
  VectorSetKey,
} from '@catalog/core/ports/vector-index';
import type { LayerStack } from '@catalog/core/ports/versions';
import { vectorToText } from './text-vector.ts';

/** Number of points requested per result: some of the nearest may be hidden by a higher layer or removed. */
const FIRST_WIDTH = 4;
const MIN_WIDTH = 100;
const WIDENING = 4;
const MAX_COMPARED = 500;

export type IndexedStore = Pick<StoreReads, 'versions' | 'search' | 'domains'>;

/**
 * Creates a vector index over an external engine. The engine filters by tenant, model, layers and query. The store then
 * removes points that are hidden, changed or removed.
 */
export function externalVectorIndex(
  engine: VectorEngine,
  store: IndexedStore,
  { embeds }: { embeds: boolean },
): VectorIndex {
  /** Dimensions by model; empty if the engine computes the vectors. */
  const dimensionsOf = new Map<string, number>();
  const toMeaning = (vector: Float32Array): EngineInput =>
    embeds ? { text: vectorToText(vector) } : { vector };

  async function queryEngine(
    tenant: Tenant,
    { model, vector }: QueryVector,
    query: Partial<EngineQuery> & Pick<EngineQuery, 'kind' | 'layers' | 'top_k'>,
  ): Promise<EngineHit[]> {
    if (isBlank({ vector })) return [];
    const engineQuery = { ...NOTHING, ...query, meaning: toMeaning(vector) };
    return engine.query(tenant, model, engineQuery);
  }

  const removeVectors: VectorIndex['removeVectors'] = async (tenant, shelf, ids) => {
    const { layer, kind, model } = shelf;
    const keys = ids.map((id) => ({ layer, kind, id }));
    for (const some of inBatches(keys, engine.batch_size)) {
      await engine.remove(tenant, model, some);
    }
  };

  return {
    async addModel({ name, dimensions }) {
      const known = dimensionsOf.get(name) ?? (await engine.check()).dimensions;
      if (!embeds && known !== undefined && known !== dimensions) {
        throw otherDimensions(engine, name, dimensions, known);
      }
      dimensionsOf.set(name, dimensions);
    },
    async dropModel(name) {
      await engine.removeModel(name);
      dimensionsOf.delete(name);
    },
    async putVectors(tenant, shelf, vectors) {
      const dimensions = embeds ? undefined : dimensionsOf.get(shelf.model);
      const odd = vectors.find(({ vector }) => vector.length !== (dimensions ?? vector.length));
      if (odd !== undefined)
        throw new RangeError(`The embedding of ${odd.id} has a different number of dimensions.`);
      const [blank, meant] = [vectors.filter(isBlank), vectors.filter((one) => !isBlank(one))];
      const points = await toPoints(store, tenant, shelf, meant, toMeaning);
      for (const some of inBatches(points, engine.batch_size)) {
        await engine.put(tenant, shelf.model, some);
      }
      const ids = blank.map(({ id }) => id);
      await removeVectors(tenant, shelf, ids);
    },
    removeVectors,
    countVectors: (tenant, model) => engine.count(tenant, model, 'artifact'),
    settle: async () => undefined,
    searchVectors: (tenant, layers, query) =>
      widen(
        layers,
        query.top_k,
        (top_k) => {
          const { type, tags, scope } = query;
          return queryEngine(tenant, query, { kind: 'artifact', layers, type, tags, scope, top_k });
        },
        (hits) => shownDocuments(store, tenant, layers, query, hits),
      ),
    async compareVectors(tenant, engineQuery, documents) {
      const found: VectorHit[] = [];
      for (const some of inBatches(documents, MAX_COMPARED)) {
        const keys = some.map(({ layer, id }) => ({ layer, kind: 'artifact' as const, id }));
        const layers = [...new Set(some.map(({ layer }) => layer))];
        const hits = await queryEngine(tenant, engineQuery, {
          kind: 'artifact',
          layers,
          keys,
          top_k: keys.length,
        });
        found.push(...hits.map(toVectorHit));
      }
      return found;
    },
    searchDomainVectors: (tenant, layers, query) =>
      widen(
        layers,
        query.top_k,
        (top_k) =>
          queryEngine(tenant, query, { kind: 'domain', layers, scope: query.scope, top_k }),
        (hits) => shownDomains(store, tenant, layers, hits),
      ),
  };
}

/** Returns true for the zero vector of content without known words. Engines with cosine similarity reject it. */
function isBlank({ vector }: { vector: Float32Array }): boolean {
  return vector.every((value) => value === 0);
}

const NOTHING = { type: '', tags: [], scope: '', keys: [] };

function otherDimensions(
  { name: engine }: VectorEngine,
  model: string,
  dimensions: number,
  known: number,
): CatalogError {
  return new CatalogError(
    'config.invalid',
    `The model ${model} has ${dimensions} dimensions, but the collection in ${engine} has ${known}.`,
    {
      suggested_action: `Use a collection with ${dimensions} dimensions, or a model with ${known}.`,
    },
  );
}

function toVectorHit({ layer, id, similarity }: EngineHit): VectorHit {
  return { layer, id, similarity };
}

/** Requests more points until enough are visible or no more exist. */
async function widen<Hit extends { similarity: number }>(
  layers: LayerStack,
  top_k: number,
  query: (top_k: number) => Promise<EngineHit[]>,
  show: (hits: readonly EngineHit[]) => Promise<Hit[]>,
): Promise<Hit[]> {
  if (layers.length === 0) return [];
  for (let wanted = Math.max(MIN_WIDTH, top_k * FIRST_WIDTH); ; wanted *= WIDENING) {
    const width = Math.min(wanted, MAX_NEAREST);
    const hits = await query(width);
    const shown = await show(hits);
    const last = shown.at(top_k - 1);
    const farthest = hits.at(-1)?.similarity ?? 0;
    // A point beyond the limit can belong before the last result only if both are equally similar.
    const isEnough = last !== undefined && last.similarity > farthest;
    if (isEnough || hits.length < width || width === MAX_NEAREST) return shown.slice(0, top_k);
  }
}

async function shownDocuments(
  store: IndexedStore,
  tenant: Tenant,
  layers: LayerStack,
  { type, tags, layer, harness }: VectorQuery,
  hits: readonly EngineHit[],
): Promise<VectorHit[]> {
  const ids = [...new Set(hits.map(({ id }) => id))];
  const [heads, documents] = await Promise.all([
    ids.length === 0 ? [] : store.versions.listHeadsOf(tenant, layers, ids),
    listDocuments(store, tenant, hits),
  ]);
  const rank = new Map(layers.map((layer, index) => [layer, index]));
  const rankOf = (layer: LayerNumber): number => rank.get(layer) ?? -1;
  const shown = new Map<string, (typeof heads)[number]>();
  for (const head of heads) {
    const higher = shown.get(head.id);
    if (higher === undefined || rankOf(head.layer) > rankOf(higher.layer)) shown.set(head.id, head);
  }
  return hits
    .filter((hit) => {
      const head = shown.get(hit.id);
      if (head?.layer !== hit.layer || !documents.has(keyOf(hit))) return false;
      // The engine may still have an earlier version of the document.
      const targets = listTargets(head.frontmatter);
      return (
        (type === '' || head.type === type) &&
        (layer === undefined || head.layer === layer) &&
        (harness === undefined ||
          (harness === ANY_HARNESS ? targets.length === 0 : targets.includes(harness))) &&
        tags.every((tag) => head.tags.includes(tag))
      );
    })
    .map(toVectorHit)
    .sort(
      (a, b) =>
        b.similarity - a.similarity ||
        rankOf(b.layer) - rankOf(a.layer) ||
        compareBytes(a.id, b.id),
    );
}

async function shownDomains(
  store: IndexedStore,
  tenant: Tenant,
  layers: LayerStack,
  hits: readonly EngineHit[],
): Promise<DomainVectorHit[]> {
  const paths = [...new Set(hits.map(({ id }) => id))];
  const described = paths.length === 0 ? [] : await store.domains.describe(tenant, layers, paths);
  const visible = new Set(described.map(({ path }) => path));
  const best = new Map<string, number>();
  for (const [layer, some] of Map.groupBy(hits, (hit) => hit.layer)) {
    const ids = some.map(({ id }) => id);
    const texts = await store.domains.readTexts(tenant, layer, ids);
    for (const { id, similarity } of some) {
      if (!visible.has(id) || !texts.has(id)) continue;
      best.set(id, Math.max(best.get(id) ?? -1, similarity));
    }
  }
  return Array.from(best, ([path, similarity]) => ({ path, similarity })).sort(
    (a, b) => b.similarity - a.similarity || compareBytes(a.path, b.path),
  );
}

async function toPoints(
  store: IndexedStore,
  tenant: Tenant,
  { layer, kind }: VectorSetKey,
  vectors: readonly IdVector[],
  toMeaning: (vector: Float32Array) => EngineInput,
): Promise<EnginePoint[]> {
  const ids = [...new Set(vectors.map(({ id }) => id))];
  const facts = await (kind === 'artifact' ? factsOfArtifacts : factsOfDomains)(
    store,
    tenant,
    layer,
    ids,
  );
  return vectors.flatMap(({ id, vector }) => {
    const known = facts.get(id);
    return known === undefined ? [] : [{ ...known, layer, kind, id, meaning: toMeaning(vector) }];
  });
}

type Facts = ReadonlyMap<string, Pick<EnginePoint, 'type' | 'tags'>>;

async function factsOfArtifacts(
  store: IndexedStore,
  tenant: Tenant,
  layer: LayerNumber,
  ids: readonly string[],
): Promise<Facts> {
  const documents = await listDocuments(
    store,
    tenant,
    ids.map((id) => ({ layer, id })),
  );
  const heads = await store.versions.listHeadsOf(tenant, [layer], ids);
  const present = heads.filter((head) => documents.has(keyOf(head)));
  return new Map(present.map(({ id, type, tags }) => [id, { type, tags }]));
}

async function factsOfDomains(
  store: IndexedStore,
  tenant: Tenant,
  layer: LayerNumber,
  paths: readonly string[],
): Promise<Facts> {
  const texts = await store.domains.readTexts(tenant, layer, paths);
  return new Map(Array.from(texts.keys(), (path) => [path, { type: '', tags: [] }]));
}

async function listDocuments(
  store: IndexedStore,
  tenant: Tenant,
  documents: readonly DocumentKey[],
): Promise<ReadonlySet<string>> {
  if (documents.length === 0) return new Set();
  const present = await store.search.scoreDocuments(tenant, [], documents);
  return new Set(present.map(keyOf));
}

function keyOf({ layer, id }: DocumentKey): string {
  return `${layer} ${id}`;
}

function* inBatches<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
