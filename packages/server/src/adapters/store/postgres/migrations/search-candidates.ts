import { inScope, isHidden } from './search-function.ts';

/**
 * Of a function that ranks by words: what its words weigh, and which documents their postings bring. The
 * same in every step that has such a function, so its text never changes.
 */
export const FIND_CANDIDATES = `  SELECT '{' || string_agg(w.tid || ':' || w.rarity, ',') || '}/1000000000',
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
`;

/** The candidates of all sources that the view shows, each with the inner product of what they weigh. */
export const SCORE_CANDIDATES = `  WITH found AS (
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
    WHERE ranks[f.layer] > 0 AND (cardinality(required) = 0 OR f.terms @> required) AND ${inScope('f', 'scope')}
      AND NOT ${isHidden('f', 'this', 'ranks')}
`;

/** Declares the ways to find near vectors. */
export const NEAREST_VECTORS = `  nearest text := CASE way
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
`;

/** Declares how many of them are taken. */
export const MOST_TAKEN = `  most text := CASE way WHEN 'near' THEN 'LIMIT $9 + 50'
    ELSE 'ORDER BY v.distance FETCH FIRST $9 ROWS WITH TIES' END;
`;

/** The document of a vector, where the view shows it. */
export const SHOWN_DOCUMENT = `        WHERE d.tenant = $1 AND d.doc = v.doc AND $3[d.layer] > 0
          AND (cardinality($7) = 0 OR d.terms @> $7)
          AND ${inScope('d', '$8').replaceAll("'", "''")}
          AND NOT ${isHidden('d', '$1', '$3')}
`;
