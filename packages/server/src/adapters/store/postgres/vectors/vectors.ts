import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Tenant } from '@catalog/core/ports/tenant';
import type {
  DomainVectorHit,
  IdVector,
  VectorHit,
  VectorIndex,
  VectorQuery,
  VectorSetKey,
} from '@catalog/core/ports/vector-index';
import type { LayerStack } from '@catalog/core/ports/versions';
import { DatabaseError } from 'pg';
import type { Sql } from '../../shared/sql.ts';
import { batches } from '../pool/batches.ts';
import { columns } from '../versions/columns.ts';
import { isHidden, loadUnlisted, openDomainView, type DomainView } from '../domains/view.ts';
import { halfvec, halfvecs } from './halfvec.ts';
import { NO_TENANT, type Queries, type Run } from '../../shared/queries.ts';
import { searchFused } from '../search/fused.ts';
import { selectVectorMethod } from '../search/sources.ts';
import {
  filterTerms,
  findFilters,
  listFilters,
  numbersOf,
  readStatistics,
} from '../search/terms.ts';
import { weighWords } from '../search/words.ts';

type DomainVectorQuery = Parameters<VectorIndex['searchDomainVectors']>[2];

/** Number of documents above which the vector index is used instead of comparing each document. */
export const MAX_COMPARED = 60_000;

interface KnownModel {
  number: number;
  dimensions: number;
  type: number;
}

const ADD_MODEL: Sql<{ dimensions: number }> = 'SELECT dimensions FROM add_vector_model($1, $2)';
const GET_MODEL: Sql<KnownModel> = `SELECT number, dimensions, 'halfvec'::regtype::oid::int AS type
  FROM vector_models WHERE name = $1`;
const DROP_MODEL = 'SELECT drop_vector_model($1)';
const SETTLE = 'SELECT settle_vectors($1::int, $2::int)';
const SEARCH: Sql<VectorHit> = `SELECT layer, id, similarity
  FROM find_nearest($1::int, $2::int[], $3::halfvec, $4::text, $5::int[], $6::boolean, $7::int[],
    $8::text, $9::int)`;

/**
 * Creates the vector index. Each write is a separate statement. `writeForLong` has no timeout, because building an
 * index over a million vectors takes minutes.
 */
export function vectorIndex(
  read: Run,
  write: Run,
  max_compared: number = MAX_COMPARED,
  writeForLong: Run = write,
): VectorIndex {
  const known = new Map<string, KnownModel>();

  async function getModel(queries: Queries, name: string): Promise<KnownModel | undefined> {
    const model = known.get(name) ?? (await queries.row(GET_MODEL, name));
    if (model !== undefined) known.set(name, model);
    return model;
  }

  /** Runs a step, and handles the removal of its model by another process. */
  async function withModel<Result>(name: string, step: () => Promise<Result>): Promise<Result> {
    try {
      return await step();
    } catch (error) {
      if (!isGone(error) || !known.delete(name)) throw error;
      return step();
    }
  }

  function readOf<Result>(
    tenant: Tenant,
    name: string,
    nothing: Result,
    step: (queries: Queries, model: KnownModel) => Promise<Result>,
  ): Promise<Result> {
    return withModel(name, () =>
      read(tenant, async (queries) => {
        const model = await getModel(queries, name);
        return model === undefined ? nothing : step(queries, model);
      }),
    );
  }

  function writeOf(
    run: Run,
    tenant: Tenant,
    name: string,
    step: (queries: Queries, model: KnownModel) => Promise<void>,
  ): Promise<void> {
    return withModel(name, () =>
      run(tenant, async (queries) => {
        const model = await getModel(queries, name);
        if (model === undefined) throw new Error(`The model ${name} was not added.`);
        await step(queries, model);
      }),
    );
  }

  return {
    async addModel({ name, dimensions }) {
      const model = await write(NO_TENANT, (queries) => queries.row(ADD_MODEL, name, dimensions));
      if (model?.dimensions !== dimensions) throw otherDimensions(name, model?.dimensions);
    },
    async dropModel(name) {
      await write(NO_TENANT, (queries) => queries.run(DROP_MODEL, name));
      known.delete(name);
    },
    putVectors: (tenant, shelf, vectors) =>
      writeOf(write, tenant, shelf.model, (queries, model) =>
        putVectors(queries, tenant, shelf, model, vectors),
      ),
    removeVectors: (tenant, { layer, kind, model }, ids) =>
      writeOf(write, tenant, model, async (queries, { number }) => {
        await queries.run(VECTOR_TABLES[kind].removeFrom(number), tenant, layer, ids);
      }),
    countVectors: (tenant, name) =>
      readOf(tenant, name, 0, async (queries, { number }) => {
        const row = await queries.row(countOf(number), tenant);
        return row?.count ?? 0;
      }),
    settle: (name) =>
      writeOf(writeForLong, NO_TENANT, name, async (queries, { number }) => {
        await queries.run(SETTLE, number, max_compared);
      }),
    searchVectors: (tenant, layers, query) =>
      readOf(tenant, query.model, [], (queries, model) =>
        searchVectors(queries, { tenant, layers, model, most_compared: max_compared }, query),
      ),
    searchFused: (tenant, layers, query) =>
      withModel(query.asked.model, async () => {
        const prepared = await read(tenant, async (queries) => {
          const model = await getModel(queries, query.asked.model);
          return model && { model, weighed: await weighWords(queries, tenant, layers, query) };
        });
        if (prepared === undefined) return undefined;
        const { number: model } = prepared.model;
        const { weighed } = prepared;
        return searchFused(read, {
          tenant,
          layers,
          model,
          most_compared: max_compared,
          query,
          weighed,
        });
      }),
    compareVectors: (tenant, { model: name, vector }, documents) =>
      readOf(tenant, name, [], async (queries, { number }) => {
        if (documents.length === 0) return [];
        const keys = columns(documents, 'layer', 'id');
        return queries.rows(compareIn(number), tenant, halfvec(vector), ...keys);
      }),
    searchDomainVectors: (tenant, layers, query) =>
      readOf(tenant, query.model, [], async (queries, { number }) => {
        const view = await openDomainView(queries, tenant, layers);
        return searchDomainVectors(queries, view, number, query);
      }),
  };
}

const UNDEFINED_TABLE = '42P01';

function isGone(error: unknown): boolean {
  const cause = error instanceof CatalogError ? error.cause : error;
  return cause instanceof DatabaseError && cause.code === UNDEFINED_TABLE;
}

function otherDimensions(name: string, has: number | undefined): CatalogError {
  return new CatalogError(
    'config.invalid',
    `The embeddings of the model ${name} have ${has} dimensions, which differs from its configuration.`,
    { suggested_action: 'Use a different name for a model with other dimensions.' },
  );
}

/** Statements per vector table. They lock the source of a vector, so that the vector is removed with its source. */
const VECTOR_TABLES: Record<
  VectorSetKey['kind'],
  Record<'putInto' | 'removeFrom', (n: number) => string>
> = {
  artifact: {
    putInto: (number) => `INSERT INTO vectors_${number} (tenant, layer, doc, embedding)
        SELECT $1, $2, d.doc, added.embedding
        FROM unnest($3::text[], $4::halfvec[]) AS added (id, embedding)
          CROSS JOIN LATERAL (SELECT d.doc FROM search_documents d
            WHERE d.tenant = $1 AND d.layer = $2 AND d.id = added.id FOR KEY SHARE) d
        ON CONFLICT (tenant, layer, doc) DO UPDATE SET embedding = excluded.embedding`,
    removeFrom: (number) => `DELETE FROM vectors_${number} WHERE tenant = $1 AND layer = $2
        AND doc = ANY (ARRAY(SELECT d.doc FROM search_documents d
          WHERE d.tenant = $1 AND d.layer = $2 AND d.id = ANY ($3::text[])))`,
  },
  domain: {
    putInto: (number) => `INSERT INTO domain_vectors_${number} (tenant, layer, path, embedding)
        SELECT $1, $2, f.path, added.embedding
        FROM unnest($3::text[], $4::halfvec[]) AS added (path, embedding)
          CROSS JOIN LATERAL (SELECT f.path FROM domain_files f
            WHERE f.tenant = $1 AND f.layer = $2 AND f.path = added.path FOR KEY SHARE) f
        ON CONFLICT (tenant, layer, path) DO UPDATE SET embedding = excluded.embedding`,
    removeFrom: (number) => `DELETE FROM domain_vectors_${number}
        WHERE tenant = $1 AND layer = $2 AND path = ANY ($3::text[])`,
  },
};

function countOf(number: number): Sql<{ count: number }> {
  return `SELECT count(*) FROM vectors_${number} WHERE tenant = $1`;
}

function compareIn(number: number): Sql<VectorHit> {
  return `SELECT d.layer, d.id, -(v.embedding <#> $2::halfvec) AS similarity
    FROM unnest($3::int[], $4::text[]) AS wanted (layer, id)
      CROSS JOIN LATERAL (SELECT d.layer, d.id, d.doc FROM search_documents d
        WHERE d.tenant = $1 AND d.layer = wanted.layer AND d.id = wanted.id OFFSET 0) d
      CROSS JOIN LATERAL (SELECT v.embedding FROM vectors_${number} v
        WHERE v.tenant = $1 AND v.layer = d.layer AND v.doc = d.doc OFFSET 0) v`;
}

const DOMAINS_AT_ONCE = 200;

function searchDomainsIn(number: number): Sql<DomainVectorHit> {
  return `SELECT path, max(-(embedding <#> $3::halfvec)) AS similarity
    FROM (SELECT path, path AS id, embedding FROM domain_vectors_${number}
      WHERE tenant = $1 AND layer = ANY ($2::int[])) v
    WHERE ${inScope('v', '$4::text')}
    GROUP BY path ORDER BY similarity DESC, path LIMIT $5 OFFSET $6`;
}

async function searchDomainVectors(
  queries: Queries,
  view: DomainView,
  number: number,
  { vector, scope, top_k }: DomainVectorQuery,
): Promise<DomainVectorHit[]> {
  // Paths never contain a zero byte, and PostgreSQL rejects one in a parameter.
  if (scope.includes('\0')) return [];
  await loadUnlisted(queries, view, [scope]);
  const found: DomainVectorHit[] = [];
  const parameters = [view.tenant, view.layers, halfvec(vector), scope] as const;
  for (let at = 0; found.length < top_k; at += DOMAINS_AT_ONCE) {
    const page = [DOMAINS_AT_ONCE, at];
    const some = await queries.rows(searchDomainsIn(number), ...parameters, ...page);
    found.push(...some.filter(({ path }) => !isHidden(view, path)));
    if (some.length < DOMAINS_AT_ONCE) break;
  }
  return found.slice(0, top_k);
}

async function putVectors(
  queries: Queries,
  tenant: Tenant,
  { layer, kind }: VectorSetKey,
  { number, dimensions, type }: KnownModel,
  vectors: readonly IdVector[],
): Promise<void> {
  const odd = vectors.find(({ vector }) => vector.length !== dimensions);
  if (odd !== undefined)
    throw new RangeError(`The embedding of ${odd.id} has a different number of dimensions.`);
  const latest = new Map(vectors.map(({ id, vector }) => [id, vector]));
  for (const some of batches([...latest])) {
    await queries.run(
      VECTOR_TABLES[kind].putInto(number),
      tenant,
      layer,
      some.map(([id]) => id),
      halfvecs(
        some.map(([, vector]) => vector),
        type,
      ),
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
  { tenant, layers, model, most_compared: max_compared }: VectorView,
  query: VectorQuery,
): Promise<VectorHit[]> {
  const parameters = { ...query, query: '' };
  const statistics = await readStatistics(queries, tenant, layers, filterTerms(parameters));
  const filters = findFilters(statistics, parameters);
  if (filters === undefined || statistics.documents === 0) return [];
  const { required, scope } = filters;
  return queries.rows(
    SEARCH,
    model.number,
    layers,
    halfvec(query.vector),
    selectVectorMethod(filters, statistics.documents, max_compared),
    numbersOf(listFilters(filters)),
    scope !== '',
    numbersOf(required),
    scope,
    query.top_k,
  );
}

function inScope(row: string, scope: string): string {
  return `(${scope} = '' OR ${row}.id = ${scope}
        OR (${row}.id > ${scope} || '/' AND ${row}.id < ${scope} || '0'))`;
}
