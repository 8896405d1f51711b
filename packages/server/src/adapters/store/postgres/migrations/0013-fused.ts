import type { Migration } from './migration.ts';
import {
  FIND_CANDIDATES,
  MOST_TAKEN,
  NEAREST_VECTORS,
  SCORE_CANDIDATES,
  SHOWN_DOCUMENT,
} from './search-candidates.ts';
import { searchFunction } from './search-function.ts';

const FIND_BY_WORDS =
  'find_by_words(int, halfvec, float8, int, float8, int[], int[], bigint[], int[], int[], int[], int[], float8[], int[], int[], boolean, boolean, int[], text, int)';
const FIND_BY_MEANING =
  'find_by_meaning(int, halfvec, float8, text, int, float8, int[], int[], bigint[], int[], boolean, int[], text, int)';

/** The score of both arms as it is shown, but for the last digit. */
const roughly = (share: string): string =>
  `round((coalesce(c.similarity, 0) - c.near * ${share}) * 1000000)`;
/** What the words of a document come to, in whole numbers. */
const sumOf = (units: string, rarities: string): string =>
  `coalesce((SELECT sum((-(d.impacts <#> w.unit))::bigint * w.rarity)
        FROM unnest(${units}, ${rarities}) AS w (unit, rarity)), 0)::bigint`;

/**
 * Searches by words and meaning in which each arm says at once what the other says of what it found
 * (decision record 0056). Of the scores of a few more than asked for the words are then summed in whole
 * numbers, since inner products are rounded.
 */
export const fused: Migration = {
  number: 13,
  name: 'fused',
  oldest_program: 1,
  sql: `
-- The best documents of those that search_words finds, by both arms: of those whose words come to \`at_least\`,
-- the \`width\` best by words are compared with the vector. \`last_sum\` is what the words of the last of
-- these come to, nearly.
CREATE FUNCTION find_by_words(
  model int, wanted halfvec, share float8, width int, at_least float8,
  layers int[], words int[], rarities bigint[],
  any_of int[], listed int[], best_of int[], bests int[], best_rarities float8[], together int[],
  all_of int[], named boolean, in_view boolean,
  required int[], scope text, top_k int
) RETURNS TABLE (layer int, id text, sum bigint, similarity float8, matched bigint, last_sum float8)
  LANGUAGE plpgsql STABLE AS $$
DECLARE
  this int := current_tenant();
  ranks int[] := ranks_of(layers);
  weights sparsevec;
  units sparsevec[];
  docs bigint[] := '{}';
  nears float8[];
  in_all bigint;
BEGIN
${FIND_CANDIDATES}${SCORE_CANDIDATES}  )
  SELECT array_agg(n.doc), array_agg(n.near), (SELECT count(*) FROM scored)
    INTO docs, nears, in_all
    FROM (SELECT s.doc, s.near FROM scored s WHERE s.near <= -at_least
      ORDER BY s.near, s.rank DESC, s.id LIMIT width) n;
  RETURN QUERY EXECUTE format('
    WITH compared AS (
      SELECT d.layer, d.id, d.impacts, n.near, v.similarity
      FROM unnest($1, $2) AS n (doc, near)
        CROSS JOIN LATERAL (SELECT d.layer, d.id, d.impacts FROM search_documents d
          WHERE d.tenant = $3 AND d.doc = n.doc OFFSET 0) d
        LEFT JOIN LATERAL (SELECT -(v.embedding <#> $4) AS similarity FROM vectors_%s v
          WHERE v.tenant = $3 AND v.layer = d.layer AND v.doc = n.doc OFFSET 0) v ON true
    ), best AS (
      SELECT * FROM compared c ORDER BY ${roughly('$5')} DESC, $6[c.layer] DESC, c.id LIMIT $7 + 50
    )
    SELECT d.layer, d.id, ${sumOf('$8', '$9')}, d.similarity, $10, $11 FROM best d',
    model) USING docs, nears, this, wanted, share, ranks, top_k, units, rarities, in_all,
      -nears[cardinality(nears)];
END $$;
${searchFunction(FIND_BY_WORDS)}

-- The best documents of the nearest, by both arms; those without a word only if they are as near as
-- \`floor\`. \`alone\` says how many have none, \`farthest\` how near the last of \`most_near\` is, or 0 where
-- there are fewer.
CREATE FUNCTION find_by_meaning(
  model int, wanted halfvec, share float8, way text, most_near int, floor float8,
  layers int[], words int[], rarities bigint[],
  all_of int[], named boolean, required int[], scope text, top_k int
) RETURNS TABLE (layer int, id text, sum bigint, similarity float8, alone bigint, farthest float8)
  LANGUAGE plpgsql STABLE AS $$
DECLARE
  this int := current_tenant();
  ranks int[] := ranks_of(layers);
  weights sparsevec;
  units sparsevec[];
${NEAREST_VECTORS}${MOST_TAKEN}BEGIN
  SELECT '{' || coalesce(string_agg(w.tid || ':' || w.rarity, ','), '') || '}/1000000000',
      array_agg(format('{%s:1}/1000000000', w.tid)::sparsevec ORDER BY w.place)
    INTO weights, units
    FROM unnest(words, rarities) WITH ORDINALITY AS w (tid, rarity, place);
  RETURN QUERY EXECUTE format('
    WITH taken AS (
      SELECT d.layer, d.id, d.impacts, v.distance FROM (' || nearest || ') v
      CROSS JOIN LATERAL (
        SELECT d.layer, d.id, d.impacts FROM search_documents d
${SHOWN_DOCUMENT}        OFFSET 0) d
      ' || most || '
    ), near AS (
      SELECT t.layer, t.id, t.impacts, -t.distance AS similarity, t.impacts <#> $10 AS near
      FROM taken t ORDER BY t.distance, $3[t.layer] DESC, t.id LIMIT $9
    ), best AS (
      SELECT * FROM near c WHERE c.near < 0 OR c.similarity >= $11
      ORDER BY ${roughly('$12')} DESC, $3[c.layer] DESC, c.id LIMIT $13 + 50
    )
    SELECT d.layer, d.id, ${sumOf('$14', '$15')}, d.similarity,
      (SELECT count(*) FROM near n WHERE n.near = 0 AND n.similarity >= $11),
      (SELECT CASE WHEN count(*) < $9 THEN 0 ELSE min(n.similarity) END FROM near n)
    FROM best d',
    model) USING this, layers, ranks, wanted, all_of, named, required, scope, most_near, weights, floor,
      share, top_k, units, rarities;
END $$;
${searchFunction(FIND_BY_MEANING)}
ALTER FUNCTION ${FIND_BY_MEANING} SET enable_sort = off;
ALTER FUNCTION ${FIND_BY_MEANING} SET hnsw.ef_search = 600;
ALTER FUNCTION ${FIND_BY_MEANING} SET hnsw.iterative_scan = relaxed_order;
`,
};
