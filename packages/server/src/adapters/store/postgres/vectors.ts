import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type {
  ArtifactVector,
  VectorHit,
  VectorIndex,
  VectorQuery,
} from '@catalog/core/ports/vector-index';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { LayerStack } from '@catalog/core/ports/versions';
import { batches } from './batches.ts';
import { NO_TENANT, type Queries, type Run } from './queries.ts';
import { canRead, costOfFilters } from './search-sources.ts';
import {
  filterTerms,
  findFilters,
  listFilters,
  numbersOf,
  readStatistics,
  type Filters,
} from './search-terms.ts';

/** Documents that are compared one by one; past it the graph is asked. */
export const MOST_COMPARED = 60_000;

/** The table of a model. */
interface KnownModel {
  number: number;
  dimensions: number;
}

const ADD_MODEL = 'SELECT number, dimensions FROM add_vector_model($1, $2)';
const GET_MODEL = 'SELECT number, dimensions FROM vector_models WHERE name = $1';
const SETTLE = 'SELECT settle_vectors($1::int, $2::int)';
const SEARCH = `SELECT layer, id, similarity
  FROM search_vectors($1::int, $2::int[], $3::text, $4::text, $5::int[], $6::boolean, $7::int[],
    $8::text, $9::int)`;

/**
 * Vectors beside the search index. Each write is a statement of its own. `writeForLong` has no time
 * limit: an index over a million vectors takes minutes, which no statement of a request may.
 */
export function vectorIndex(
  read: Run,
  write: Run,
  most_compared: number = MOST_COMPARED,
  writeForLong: Run = write,
): VectorIndex {
  // A model keeps its table for good.
  const known = new Map<string, KnownModel>();

  async function getModel(queries: Queries, name: string): Promise<KnownModel | undefined> {
    const model = known.get(name) ?? (await queries.row<KnownModel>(GET_MODEL, name));
    if (model !== undefined) known.set(name, model);
    return model;
  }

  async function loadModel(queries: Queries, name: string): Promise<KnownModel> {
    const model = await getModel(queries, name);
    if (model === undefined) throw new Error(`The model ${name} was not added.`);
    return model;
  }

  return {
    async addModel({ name, dimensions }) {
      const model = await write(NO_TENANT, (queries) =>
        queries.row<KnownModel>(ADD_MODEL, name, dimensions),
      );
      if (model?.dimensions === dimensions) return;
      throw new CatalogError(
        'config.invalid',
        `The vectors of the model ${name} have ${model?.dimensions} dimensions, not ${dimensions}.`,
        { suggested_action: 'Give a model with other dimensions a name of its own.' },
      );
    },
    putVectors: (tenant, layer, name, vectors) =>
      write(tenant, async (queries) => {
        const model = await loadModel(queries, name);
        await putVectors(queries, { tenant, layer }, model, vectors);
      }),
    removeVectors: (tenant, layer, name, ids) =>
      write(tenant, async (queries) => {
        const { number } = await loadModel(queries, name);
        await queries.run(removeFrom(number), tenant, layer, ids);
      }),
    countVectors: (tenant, name) =>
      read(tenant, async (queries) => {
        const model = await getModel(queries, name);
        if (model === undefined) return 0;
        const row = await queries.row<{ count: number }>(countOf(model.number), tenant);
        return row?.count ?? 0;
      }),
    settle: (name) =>
      writeForLong(NO_TENANT, async (queries) => {
        const { number } = await loadModel(queries, name);
        await queries.run(SETTLE, number, most_compared);
      }),
    searchVectors: (tenant, layers, query) =>
      read(tenant, async (queries) => {
        const model = await getModel(queries, query.model);
        if (model === undefined) return [];
        return searchVectors(queries, { tenant, layers, model, most_compared }, query);
      }),
  };
}

function putInto(number: number): string {
  return `INSERT INTO vectors_${number} (tenant, layer, doc, embedding)
    SELECT $1, $2, d.doc, added.embedding::halfvec
    FROM unnest($3::text[], $4::text[]) AS added (id, embedding)
      JOIN search_documents d ON d.tenant = $1 AND d.layer = $2 AND d.id = added.id
    ON CONFLICT (tenant, layer, doc) DO UPDATE SET embedding = excluded.embedding`;
}

function removeFrom(number: number): string {
  return `DELETE FROM vectors_${number} v USING search_documents d
    WHERE d.tenant = $1 AND d.layer = $2 AND d.id = ANY ($3::text[])
      AND v.tenant = $1 AND v.layer = $2 AND v.doc = d.doc`;
}

function countOf(number: number): string {
  return `SELECT count(*) FROM vectors_${number} WHERE tenant = $1`;
}

async function putVectors(
  queries: Queries,
  { tenant, layer }: { tenant: Tenant; layer: number },
  { number, dimensions }: KnownModel,
  vectors: readonly ArtifactVector[],
): Promise<void> {
  const odd = vectors.find(({ vector }) => vector.length !== dimensions);
  if (odd !== undefined) throw new RangeError(`The vector of ${odd.id} has other dimensions.`);
  const latest = new Map(vectors.map(({ id, vector }) => [id, vector]));
  for (const some of batches([...latest])) {
    await queries.run(
      putInto(number),
      tenant,
      layer,
      some.map(([id]) => id),
      some.map(([, vector]) => `[${vector.join(',')}]`),
    );
  }
}

interface VectorView {
  tenant: Tenant;
  layers: LayerStack;
  model: KnownModel;
  most_compared: number;
}

async function searchVectors(
  queries: Queries,
  { tenant, layers, model, most_compared }: VectorView,
  query: VectorQuery,
): Promise<VectorHit[]> {
  const asked = { ...query, query: '' };
  const statistics = await readStatistics(queries, tenant, layers, filterTerms(asked));
  const filters = findFilters(statistics, asked);
  if (filters === undefined || statistics.documents === 0) return [];
  const { required, scope } = filters;
  return queries.rows<VectorHit>(
    SEARCH,
    model.number,
    layers,
    `[${query.vector.join(',')}]`,
    decideWay(filters, statistics.documents, most_compared),
    numbersOf(listFilters(filters)),
    scope !== '',
    numbersOf(required),
    scope,
    query.top_k,
  );
}

function decideWay(
  filters: Filters,
  documents: number,
  most_compared: number,
): 'exact' | 'near' | 'filtered' {
  const cost = costOfFilters(filters);
  if (canRead(cost) && cost < documents) return 'filtered';
  return documents <= most_compared ? 'exact' : 'near';
}
