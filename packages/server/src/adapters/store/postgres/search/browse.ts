import type { IndexSearchResult, SearchHit, SearchQuery } from '@catalog/core/ports/search-index';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { LayerStack } from '@catalog/core/ports/versions';
import type { Parameter } from '../../shared/parameter.ts';
import type { Queries } from '../../shared/queries.ts';
import type { Sql } from '../../shared/sql.ts';
import { countHidden, HIDDEN, MAX_CONTESTED } from './hidden.ts';
import { canRead, costOfFilters, countLowerBound, MAX_READ } from './sources.ts';
import {
  filterTerms,
  findFilters,
  listFilters,
  numbersOf,
  readStatistics,
  type Filters,
} from './terms.ts';

type Named = Omit<SearchHit, 'score'>;

const LIST_FILTERED: Sql<Named & { matched: number }> = `SELECT layer, id, matched
  FROM search_filters($1::int[], $2::int[], $3::boolean, $4::int[], $5::text, $6::int)`;

/** Selects matching documents in order, from the first `$7` of each layer's range, up to `maxRows`. */
const passing = (maxRows: string): string => `
  SELECT d.layer, d.id FROM unnest($2::int[]) WITH ORDINALITY AS v (layer, rank)
    JOIN search_documents d ON d.tenant = $1 AND d.layer = v.layer AND d.id = $3
  WHERE d.terms @> $6::int[] AND NOT (d.contested AND ${HIDDEN})
  UNION ALL
  SELECT f.layer, f.id FROM unnest($2::int[]) WITH ORDINALITY AS v (layer, rank)
    CROSS JOIN LATERAL (
      SELECT d.layer, d.id
      FROM (SELECT d.layer, d.id, d.terms, d.contested FROM search_documents d
            WHERE d.tenant = $1 AND d.layer = v.layer AND d.id > $4 AND d.id < $5
            ORDER BY d.id LIMIT $7) d
      WHERE d.terms @> $6::int[] AND NOT (d.contested AND ${HIDDEN}) LIMIT ${maxRows}) f`;
const WALK: Sql<Named> = `${passing('$8')} ORDER BY id LIMIT $8`;
const LIST_WALKED: Sql<Named & { matched: number }> =
  `WITH passed AS MATERIALIZED (${passing('ALL')})
  SELECT layer, id, (SELECT count(*)::int FROM passed) AS matched FROM passed ORDER BY id LIMIT $8`;
/** No id contains the last code point. */
const LAST_ID = '\u{10FFFF}';
const WALKED = 20_000;

export async function browse(
  queries: Queries,
  tenant: Tenant,
  layers: LayerStack,
  query: SearchQuery,
): Promise<IndexSearchResult> {
  const terms = filterTerms(query);
  const statistics = await readStatistics(queries, tenant, layers, terms);
  const { documents } = statistics;
  const filters = findFilters(statistics, query);
  if (filters === undefined) return answerOf([], 0, false);
  // In a small scope or view, results are counted exactly. This decision does not depend on the content of other
  // layers.
  const [by_filters, by_walking] = [costOfFilters(filters), costOfWalking(filters, documents)];
  if (terms.length > 0 && canRead(Math.min(by_filters, by_walking))) {
    const { hits, matched } =
      by_filters <= by_walking
        ? await listFiltered(queries, layers, filters, query.top_k)
        : await listWalked(queries, tenant, layers, filters, query.top_k);
    return answerOf(hits, matched, false);
  }
  const walked = await walk(queries, tenant, layers, filters, query.top_k);
  const { contested, hidden } = await countHidden(queries, tenant, layers);
  if (terms.length === 0) {
    return answerOf(walked, documents - hidden, contested > MAX_CONTESTED);
  }
  const hits =
    walked.length === query.top_k
      ? walked
      : (await listFiltered(queries, layers, filters, query.top_k)).hits;
  const view = { documents, hidden: contested > MAX_CONTESTED ? documents : hidden };
  return answerOf(hits, Math.max(hits.length, countLowerBound([], filters, view)), true);
}

function answerOf(hits: readonly Named[], matched: number, estimated: boolean): IndexSearchResult {
  return {
    hits: hits.map(({ layer, id }) => ({ layer, id, score: 0 })),
    terms: [],
    bound: 0,
    is_known: false,
    total_matched: matched,
    total_estimated: estimated,
  };
}

async function listFiltered(
  queries: Queries,
  layers: LayerStack,
  filters: Filters,
  top_k: number,
): Promise<{ hits: Named[]; matched: number }> {
  const hits = await queries.rows(
    LIST_FILTERED,
    layers,
    numbersOf(listFilters(filters)),
    filters.scope !== '',
    numbersOf(filters.required),
    filters.scope,
    top_k,
  );
  return { hits, matched: hits[0]?.matched ?? 0 };
}

function costOfWalking({ scope, inside }: Filters, documents: number): number {
  return scope === '' ? documents : (inside?.holders ?? 0);
}

async function listWalked(
  queries: Queries,
  tenant: Tenant,
  layers: LayerStack,
  filters: Filters,
  top_k: number,
): Promise<{ hits: Named[]; matched: number }> {
  const hits = await queries.rows(
    LIST_WALKED,
    ...walkParameters(tenant, layers, filters),
    MAX_READ,
    top_k,
  );
  return { hits, matched: hits[0]?.matched ?? 0 };
}

function walk(
  queries: Queries,
  tenant: Tenant,
  layers: LayerStack,
  filters: Filters,
  top_k: number,
): Promise<Named[]> {
  const each = Math.ceil(WALKED / Math.max(1, layers.length));
  return queries.rows(WALK, ...walkParameters(tenant, layers, filters), each, top_k);
}

function walkParameters(
  tenant: Tenant,
  layers: LayerStack,
  { required, scope }: Filters,
): Parameter[] {
  const [after, before] = scope === '' ? ['', LAST_ID] : [`${scope}/`, `${scope}0`];
  return [tenant, layers, scope, after, before, numbersOf(required)];
}
