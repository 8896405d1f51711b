
-- The best documents of those that search_words finds, by both arms: of those whose words come to `at_least`,
-- the `width` best by words are compared with the vector. `last_sum` is what the words of the last of
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
  SELECT '{' || string_agg(w.tid || ':' || w.rarity, ',') || '}/1000000000',
      array_agg(format('{%s:1}/1000000000', w.tid)::sparsevec ORDER BY w.place)
    INTO weights, units
    FROM unnest(words, rarities) WITH ORDINALITY AS w (tid, rarity, place);
  IF cardinality(listed) > 0 THEN
    docs := ARRAY(SELECT DISTINCT p.doc FROM search_postings p
      WHERE p.tenant = this AND p.tid = ANY (listed) AND p.layer = ANY (layers));
  ELSIF cardinality(best_of) > 0 THEN
    docs := ARRAY(
      (SELECT p.doc
       FROM unnest(best_of, bests, best_rarities) AS w (tid, best, rarity)
         CROSS JOIN unnest(layers) AS v (layer)
         CROSS JOIN LATERAL (SELECT p.doc, p.impact FROM search_postings p
           WHERE p.tenant = this AND p.tid = w.tid AND p.layer = v.layer
           ORDER BY p.impact DESC LIMIT w.best) p
       GROUP BY p.doc ORDER BY sum(p.impact * w.rarity) DESC LIMIT 1000)
      UNION
      (SELECT d.doc FROM search_documents d
       WHERE cardinality(together) > 1 AND d.tenant + 0 = this
         AND d.terms @> (together || required) AND ranks[d.layer] > 0
       LIMIT 1000));
  END IF;
  WITH found AS (
    SELECT d.* FROM search_documents d
    WHERE cardinality(any_of) > 0 AND d.tenant + 0 = this AND d.terms && any_of
    UNION ALL
    SELECT d.* FROM search_documents d
    WHERE cardinality(docs) > 0 AND d.tenant = this AND d.doc = ANY (docs) AND NOT d.terms && any_of
    UNION ALL
    SELECT d.* FROM search_documents d
    WHERE cardinality(all_of) > 0 AND d.tenant + 0 = this AND d.terms @> all_of AND d.terms && words
    UNION ALL
    SELECT d.* FROM unnest(layers) AS v (layer)
      CROSS JOIN LATERAL (SELECT * FROM search_documents d
        WHERE d.tenant = this AND d.layer = v.layer AND d.id = scope OFFSET 0) d
    WHERE named AND d.terms && words
    UNION ALL
    SELECT d.* FROM unnest(layers) AS v (layer)
      CROSS JOIN LATERAL (SELECT * FROM search_documents d
        WHERE d.tenant = this AND d.layer = v.layer OFFSET 0) d
    WHERE in_view AND d.terms && words
  ), scored AS MATERIALIZED (
    SELECT f.doc, f.layer, f.id, ranks[f.layer] AS rank, f.impacts <#> weights AS near FROM found f
    WHERE ranks[f.layer] > 0 AND (cardinality(required) = 0 OR f.terms @> required) AND (scope = '' OR f.id = scope
        OR (f.id > scope || '/' AND f.id < scope || '0'))
      AND NOT (f.contested AND EXISTS (SELECT 1 FROM heads h WHERE h.tenant = this
        AND h.id = f.id AND ranks[h.layer] > ranks[f.layer]))
  )
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
      SELECT * FROM compared c ORDER BY round((coalesce(c.similarity, 0) - c.near * $5) * 1000000) DESC, $6[c.layer] DESC, c.id LIMIT $7 + 50
    )
    SELECT d.layer, d.id, coalesce((SELECT sum((-(d.impacts <#> w.unit))::bigint * w.rarity)
        FROM unnest($8, $9) AS w (unit, rarity)), 0)::bigint, d.similarity, $10, $11 FROM best d',
    model) USING docs, nears, this, wanted, share, ranks, top_k, units, rarities, in_all,
      -nears[cardinality(nears)];
END $$;

ALTER FUNCTION find_by_words(int, halfvec, float8, int, float8, int[], int[], bigint[], int[], int[], int[], int[], float8[], int[], int[], boolean, boolean, int[], text, int) SECURITY DEFINER;
ALTER FUNCTION find_by_words(int, halfvec, float8, int, float8, int[], int[], bigint[], int[], int[], int[], int[], float8[], int[], int[], boolean, boolean, int[], text, int) SET search_path = catalog, pg_temp;
ALTER FUNCTION find_by_words(int, halfvec, float8, int, float8, int[], int[], bigint[], int[], int[], int[], int[], float8[], int[], int[], boolean, boolean, int[], text, int) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION find_by_words(int, halfvec, float8, int, float8, int[], int[], bigint[], int[], int[], int[], int[], float8[], int[], int[], boolean, boolean, int[], text, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_by_words(int, halfvec, float8, int, float8, int[], int[], bigint[], int[], int[], int[], int[], float8[], int[], int[], boolean, boolean, int[], text, int) TO catalog_program;

ALTER FUNCTION find_by_words(int, halfvec, float8, int, float8, int[], int[], bigint[], int[], int[], int[], int[], float8[], int[], int[], boolean, boolean, int[], text, int) SET plan_cache_mode = force_custom_plan;
ALTER FUNCTION find_by_words(int, halfvec, float8, int, float8, int[], int[], bigint[], int[], int[], int[], int[], float8[], int[], int[], boolean, boolean, int[], text, int) SET enable_seqscan = off;
ALTER FUNCTION find_by_words(int, halfvec, float8, int, float8, int[], int[], bigint[], int[], int[], int[], int[], float8[], int[], int[], boolean, boolean, int[], text, int) SET enable_hashjoin = off;
ALTER FUNCTION find_by_words(int, halfvec, float8, int, float8, int[], int[], bigint[], int[], int[], int[], int[], float8[], int[], int[], boolean, boolean, int[], text, int) SET enable_mergejoin = off;
ALTER FUNCTION find_by_words(int, halfvec, float8, int, float8, int[], int[], bigint[], int[], int[], int[], int[], float8[], int[], int[], boolean, boolean, int[], text, int) SET jit = off;

-- The best documents of the nearest, by both arms; those without a word only if they are as near as
-- `floor`. `alone` says how many have none, `farthest` how near the last of `most_near` is, or 0 where
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
  nearest text := CASE way
    WHEN 'exact' THEN 'SELECT v.doc, (v.embedding <#> $4) + 0 AS distance FROM vectors_%1$s v
      WHERE v.tenant = $1 AND v.layer = ANY ($2) ORDER BY 2'
    WHEN 'near' THEN 'SELECT v.doc, v.embedding <#> $4 AS distance FROM vectors_%1$s v
      WHERE v.tenant + 0 = $1 AND $3[v.layer] > 0 ORDER BY v.embedding <#> $4'
    ELSE 'SELECT v.doc, (v.embedding <#> $4) + 0 AS distance
      FROM (SELECT d.layer, d.doc FROM search_documents d
            WHERE cardinality($5) > 0 AND d.tenant + 0 = $1 AND d.terms @> $5
            UNION ALL
            SELECT d.layer, d.doc FROM unnest($2) AS v (layer)
              JOIN search_documents d ON d.tenant = $1 AND d.layer = v.layer AND d.id = $8
            WHERE $6) d
        CROSS JOIN LATERAL (SELECT * FROM vectors_%1$s v
          WHERE v.tenant = $1 AND v.layer = d.layer AND v.doc = d.doc OFFSET 0) v ORDER BY 2'
    END;
  most text := CASE way WHEN 'near' THEN 'LIMIT $9 + 50'
    ELSE 'ORDER BY v.distance FETCH FIRST $9 ROWS WITH TIES' END;
BEGIN
  SELECT '{' || coalesce(string_agg(w.tid || ':' || w.rarity, ','), '') || '}/1000000000',
      array_agg(format('{%s:1}/1000000000', w.tid)::sparsevec ORDER BY w.place)
    INTO weights, units
    FROM unnest(words, rarities) WITH ORDINALITY AS w (tid, rarity, place);
  RETURN QUERY EXECUTE format('
    WITH taken AS (
      SELECT d.layer, d.id, d.impacts, v.distance FROM (' || nearest || ') v
      CROSS JOIN LATERAL (
        SELECT d.layer, d.id, d.impacts FROM search_documents d
        WHERE d.tenant = $1 AND d.doc = v.doc AND $3[d.layer] > 0
          AND (cardinality($7) = 0 OR d.terms @> $7)
          AND ($8 = '''' OR d.id = $8
        OR (d.id > $8 || ''/'' AND d.id < $8 || ''0''))
          AND NOT (d.contested AND EXISTS (SELECT 1 FROM heads h WHERE h.tenant = $1
        AND h.id = d.id AND $3[h.layer] > $3[d.layer]))
        OFFSET 0) d
      ' || most || '
    ), near AS (
      SELECT t.layer, t.id, t.impacts, -t.distance AS similarity, t.impacts <#> $10 AS near
      FROM taken t ORDER BY t.distance, $3[t.layer] DESC, t.id LIMIT $9
    ), best AS (
      SELECT * FROM near c WHERE c.near < 0 OR c.similarity >= $11
      ORDER BY round((coalesce(c.similarity, 0) - c.near * $12) * 1000000) DESC, $3[c.layer] DESC, c.id LIMIT $13 + 50
    )
    SELECT d.layer, d.id, coalesce((SELECT sum((-(d.impacts <#> w.unit))::bigint * w.rarity)
        FROM unnest($14, $15) AS w (unit, rarity)), 0)::bigint, d.similarity,
      (SELECT count(*) FROM near n WHERE n.near = 0 AND n.similarity >= $11),
      (SELECT CASE WHEN count(*) < $9 THEN 0 ELSE min(n.similarity) END FROM near n)
    FROM best d',
    model) USING this, layers, ranks, wanted, all_of, named, required, scope, most_near, weights, floor,
      share, top_k, units, rarities;
END $$;

ALTER FUNCTION find_by_meaning(int, halfvec, float8, text, int, float8, int[], int[], bigint[], int[], boolean, int[], text, int) SECURITY DEFINER;
ALTER FUNCTION find_by_meaning(int, halfvec, float8, text, int, float8, int[], int[], bigint[], int[], boolean, int[], text, int) SET search_path = catalog, pg_temp;
ALTER FUNCTION find_by_meaning(int, halfvec, float8, text, int, float8, int[], int[], bigint[], int[], boolean, int[], text, int) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION find_by_meaning(int, halfvec, float8, text, int, float8, int[], int[], bigint[], int[], boolean, int[], text, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_by_meaning(int, halfvec, float8, text, int, float8, int[], int[], bigint[], int[], boolean, int[], text, int) TO catalog_program;

ALTER FUNCTION find_by_meaning(int, halfvec, float8, text, int, float8, int[], int[], bigint[], int[], boolean, int[], text, int) SET plan_cache_mode = force_custom_plan;
ALTER FUNCTION find_by_meaning(int, halfvec, float8, text, int, float8, int[], int[], bigint[], int[], boolean, int[], text, int) SET enable_seqscan = off;
ALTER FUNCTION find_by_meaning(int, halfvec, float8, text, int, float8, int[], int[], bigint[], int[], boolean, int[], text, int) SET enable_hashjoin = off;
ALTER FUNCTION find_by_meaning(int, halfvec, float8, text, int, float8, int[], int[], bigint[], int[], boolean, int[], text, int) SET enable_mergejoin = off;
ALTER FUNCTION find_by_meaning(int, halfvec, float8, text, int, float8, int[], int[], bigint[], int[], boolean, int[], text, int) SET jit = off;
ALTER FUNCTION find_by_meaning(int, halfvec, float8, text, int, float8, int[], int[], bigint[], int[], boolean, int[], text, int) SET enable_sort = off;
ALTER FUNCTION find_by_meaning(int, halfvec, float8, text, int, float8, int[], int[], bigint[], int[], boolean, int[], text, int) SET hnsw.ef_search = 600;
ALTER FUNCTION find_by_meaning(int, halfvec, float8, text, int, float8, int[], int[], bigint[], int[], boolean, int[], text, int) SET hnsw.iterative_scan = relaxed_order;
