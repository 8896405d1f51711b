import type { DocumentKey, ScoredDocument, SearchedTerm } from '@catalog/core/ports/search-index';
import type { Tenant } from '@catalog/core/ports/tenant';
import { scoreOf } from '@catalog/core/search/bm25';
import type { Sql } from '../../shared/sql.ts';
import { columns } from '../versions/columns.ts';
import type { Queries } from '../../shared/queries.ts';

/** The score of a term is the inner product with a vector that contains only this term. */
const READ_IMPACTS: Sql<DocumentKey & { impacts: number[] }> = `
  WITH known AS MATERIALIZED (
    SELECT w.place, format('{%s:1}/1000000000', t.tid)::sparsevec AS unit
    FROM unnest($4::text[]) WITH ORDINALITY AS w (term, place)
      CROSS JOIN LATERAL (SELECT t.tid FROM search_terms t
        WHERE t.tenant = $1 AND t.term = w.term OFFSET 0) t
  )
  SELECT d.layer, d.id, ARRAY(
      SELECT coalesce((-(d.impacts <#> k.unit))::int, 0)
      FROM generate_series(1, cardinality($4::text[])) AS w (place)
        LEFT JOIN known k ON k.place = w.place
      ORDER BY w.place
    ) AS impacts
  FROM unnest($2::int[], $3::text[]) AS wanted (layer, id)
    CROSS JOIN LATERAL (SELECT d.layer, d.id, d.impacts FROM search_documents d
      WHERE d.tenant = $1 AND d.layer = wanted.layer AND d.id = wanted.id OFFSET 0) d`;

export async function scoreDocuments(
  queries: Queries,
  tenant: Tenant,
  terms: readonly SearchedTerm[],
  documents: readonly DocumentKey[],
): Promise<ScoredDocument[]> {
  if (documents.length === 0) return [];
  const rows = await queries.rows(
    READ_IMPACTS,
    tenant,
    ...columns(documents, 'layer', 'id'),
    terms.map(({ term }) => term),
  );
  return rows.map(({ layer, id, impacts }) => {
    const sum = terms.reduce((total, { rarity }, at) => total + rarity * (impacts[at] ?? 0), 0);
    const matched = terms.filter((_, at) => (impacts[at] ?? 0) > 0).map(({ term }) => term);
    return { layer, id, score: scoreOf(sum), matched };
  });
}
