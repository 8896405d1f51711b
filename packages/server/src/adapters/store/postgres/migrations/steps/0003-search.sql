
DO $$
DECLARE place text;
BEGIN
  SELECT n.nspname INTO place FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
    WHERE e.extname = 'vector';
  IF place IS NULL THEN
    CREATE EXTENSION vector SCHEMA catalog;
  ELSIF place <> 'catalog' THEN
    RAISE EXCEPTION 'The extension vector is in the schema %.', place
      USING HINT = 'Run ALTER EXTENSION vector SET SCHEMA catalog as its owner.';
  END IF;
END $$;

-- How many documents each layer has.
CREATE TABLE search_layers (
  tenant int NOT NULL,
  layer int NOT NULL,
  documents int NOT NULL,
  PRIMARY KEY (tenant, layer)
) WITH (fillfactor = 50);

ALTER TABLE search_layers ENABLE ROW LEVEL SECURITY;
ALTER TABLE search_layers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON search_layers TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON search_layers TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON search_layers TO catalog_program, catalog_keeper;


-- Words, and filters such as type:skill. A word of many documents is listed: its postings stand in
-- search_postings too.
CREATE TABLE search_terms (
  tenant int NOT NULL,
  tid int NOT NULL GENERATED ALWAYS AS IDENTITY,
  term text COLLATE "C" NOT NULL,
  holders int NOT NULL,
  listed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant, tid)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX search_terms_term ON search_terms (tenant, term);

ALTER TABLE search_terms ENABLE ROW LEVEL SECURITY;
ALTER TABLE search_terms FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON search_terms TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON search_terms TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON search_terms TO catalog_program, catalog_keeper;


-- How many documents of a layer have a term: statistics come from the layers of a view alone.
CREATE TABLE search_frequencies (
  tenant int NOT NULL,
  tid int NOT NULL,
  layer int NOT NULL,
  holders int NOT NULL,
  PRIMARY KEY (tenant, tid, layer)
) WITH (fillfactor = 80);

ALTER TABLE search_frequencies ENABLE ROW LEVEL SECURITY;
ALTER TABLE search_frequencies FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON search_frequencies TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON search_frequencies TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON search_frequencies TO catalog_program, catalog_keeper;


-- One searched head. terms are its words and filters; impacts has the impact of each word. contested
-- says that another layer may hold the id too: it is never false where one does.
CREATE TABLE search_documents (
  tenant int NOT NULL,
  doc bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  layer int NOT NULL,
  contested boolean NOT NULL,
  id text COLLATE "C" NOT NULL,
  terms int[] NOT NULL,
  impacts sparsevec(1000000000) NOT NULL,
  PRIMARY KEY (tenant, doc)
);
ALTER TABLE search_documents
  ALTER COLUMN terms SET STORAGE MAIN, ALTER COLUMN impacts SET STORAGE MAIN;
CREATE UNIQUE INDEX search_documents_id ON search_documents (tenant, layer, id);
CREATE INDEX search_documents_contested ON search_documents (tenant, layer) WHERE contested;
CREATE INDEX search_documents_terms ON search_documents USING gin (terms)
  WITH (fastupdate = on, gin_pending_list_limit = 4096);

ALTER TABLE search_documents ENABLE ROW LEVEL SECURITY;
ALTER TABLE search_documents FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON search_documents TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON search_documents TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON search_documents TO catalog_program, catalog_keeper;


-- New entries wait in a list and go into the index of terms together, which takes about a third of the time.
-- Every write empties the list before it ends, since each search reads it. Only the owner may.
CREATE FUNCTION settle_documents() RETURNS void LANGUAGE sql SECURITY DEFINER
  SET search_path = catalog, pg_temp
  AS $$ SELECT gin_clean_pending_list('search_documents_terms') $$;
REVOKE ALL ON FUNCTION settle_documents() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION settle_documents() TO catalog_program;

-- The documents of listed words, the highest impact first.
CREATE TABLE search_postings (
  tenant int NOT NULL,
  tid int NOT NULL,
  layer int NOT NULL,
  impact int NOT NULL,
  doc bigint NOT NULL
);
CREATE UNIQUE INDEX search_postings_impact
  ON search_postings (tenant, tid, layer, impact DESC, doc);

ALTER TABLE search_postings ENABLE ROW LEVEL SECURITY;
ALTER TABLE search_postings FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON search_postings TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON search_postings TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON search_postings TO catalog_program, catalog_keeper;


-- A head that joins those of other layers contests all documents of its id.
CREATE FUNCTION contest_documents() RETURNS trigger LANGUAGE plpgsql
  SET search_path = catalog, pg_temp AS $$
DECLARE
  this int;
  shared text[];
  docs bigint[];
BEGIN
  FOR this IN SELECT DISTINCT j.tenant FROM joined j LOOP
    shared := ARRAY(SELECT h.id FROM heads h
      WHERE h.tenant = this AND h.id = ANY (ARRAY(SELECT j.id FROM joined j WHERE j.tenant = this))
      GROUP BY h.id HAVING count(*) > 1);
    docs := ARRAY(SELECT d.doc FROM heads h
      CROSS JOIN LATERAL (SELECT d.doc FROM search_documents d
        WHERE d.tenant = this AND d.layer = h.layer AND d.id = h.id AND NOT d.contested OFFSET 0) d
      WHERE h.tenant = this AND h.id = ANY (shared));
    UPDATE search_documents SET contested = true WHERE tenant = this AND doc = ANY (docs);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER contest_documents AFTER INSERT ON heads
  REFERENCING NEW TABLE AS joined FOR EACH STATEMENT EXECUTE FUNCTION contest_documents();

CREATE FUNCTION current_tenant() RETURNS int LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT current_setting('catalog.tenant')::int $$;

CREATE FUNCTION impact_of(impacts sparsevec, tid int) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT (-(impacts <#> format('{%s:1}/1000000000', tid)::sparsevec))::int $$;

-- For each layer number its place in a view, from 1 on, or 0: what a row is looked up in.
CREATE FUNCTION ranks_of(layers int[]) RETURNS int[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  ranks int[] := array_fill(0, ARRAY[(SELECT coalesce(max(layer), 1) FROM unnest(layers) AS v (layer))]);
BEGIN
  FOR place IN 1 .. cardinality(layers) LOOP
    ranks[layers[place]] := place;
  END LOOP;
  RETURN ranks;
END $$;

-- The words become listed: every document that has them gets its posting.
CREATE FUNCTION list_words(words int[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE this int := current_tenant();
BEGIN
  INSERT INTO search_postings (tenant, tid, layer, impact, doc)
    SELECT this, w.tid, d.layer, -(d.impacts <#> w.unit), d.doc
    FROM (SELECT tid, format('{%s:1}/1000000000', tid)::sparsevec AS unit
          FROM unnest(words) AS w (tid) OFFSET 0) w
    CROSS JOIN LATERAL (SELECT * FROM search_documents d
      WHERE d.tenant + 0 = this AND d.terms @> ARRAY[w.tid] OFFSET 0) d;
  UPDATE search_terms SET listed = true WHERE tenant = this AND tid = ANY (words);
END $$;

ALTER FUNCTION list_words(int[]) SECURITY DEFINER;
ALTER FUNCTION list_words(int[]) SET search_path = catalog, pg_temp;
ALTER FUNCTION list_words(int[]) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION list_words(int[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_words(int[]) TO catalog_program;

ALTER FUNCTION list_words(int[]) SET plan_cache_mode = force_custom_plan;
ALTER FUNCTION list_words(int[]) SET enable_seqscan = off;
ALTER FUNCTION list_words(int[]) SET enable_hashjoin = off;
ALTER FUNCTION list_words(int[]) SET enable_mergejoin = off;
ALTER FUNCTION list_words(int[]) SET jit = off;

-- The best documents of a view for some words, of candidates from these sources:
--   any_of   words, by the index of terms
--   listed   words, by their postings
--   best_of  words, by the best postings of each in each layer, so many as bests has; of the documents
--            that these bring, those with the highest sums
--   together words: documents that have all of them
--   all_of   filters: the documents that have all of them
--   named    the documents whose id is the scope
--   in_view  every document of the layers
-- Candidates must have a word and all of required, be in the scope, and not be hidden by a head of a
-- higher layer, searched or not. The sums of a few more than asked for are then made in whole numbers,
-- since the inner product that orders the candidates is rounded.
CREATE FUNCTION search_words(
  layers int[], words int[], rarities bigint[],
  any_of int[], listed int[], best_of int[], bests int[], best_rarities float8[], together int[],
  all_of int[], named boolean, in_view boolean,
  required int[], scope text, top_k int
) RETURNS TABLE (layer int, id text, sum bigint, matched bigint)
  LANGUAGE plpgsql STABLE AS $$
DECLARE
  this int := current_tenant();
  ranks int[] := ranks_of(layers);
  weights sparsevec;
  units sparsevec[];
  docs bigint[] := '{}';
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
  RETURN QUERY
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
  ), nearest AS (
    SELECT * FROM scored s ORDER BY s.near, s.rank DESC, s.id LIMIT top_k + 50
  ), summed AS (
    SELECT n.layer, n.id, n.rank, (
        SELECT sum((-(d.impacts <#> w.unit))::bigint * w.rarity)::bigint
        FROM unnest(units, rarities) AS w (unit, rarity)
      ) AS sum
    FROM nearest n
      CROSS JOIN LATERAL (SELECT d.impacts FROM search_documents d
        WHERE d.tenant = this AND d.doc = n.doc OFFSET 0) d
  )
  SELECT s.layer, s.id, s.sum, (SELECT count(*) FROM scored)
  FROM summed s ORDER BY s.sum DESC, s.rank DESC, s.id LIMIT top_k;
END $$;

ALTER FUNCTION search_words(int[], int[], bigint[], int[], int[], int[], int[], float8[], int[], int[], boolean, boolean, int[], text, int) SECURITY DEFINER;
ALTER FUNCTION search_words(int[], int[], bigint[], int[], int[], int[], int[], float8[], int[], int[], boolean, boolean, int[], text, int) SET search_path = catalog, pg_temp;
ALTER FUNCTION search_words(int[], int[], bigint[], int[], int[], int[], int[], float8[], int[], int[], boolean, boolean, int[], text, int) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION search_words(int[], int[], bigint[], int[], int[], int[], int[], float8[], int[], int[], boolean, boolean, int[], text, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_words(int[], int[], bigint[], int[], int[], int[], int[], float8[], int[], int[], boolean, boolean, int[], text, int) TO catalog_program;

ALTER FUNCTION search_words(int[], int[], bigint[], int[], int[], int[], int[], float8[], int[], int[], boolean, boolean, int[], text, int) SET plan_cache_mode = force_custom_plan;
ALTER FUNCTION search_words(int[], int[], bigint[], int[], int[], int[], int[], float8[], int[], int[], boolean, boolean, int[], text, int) SET enable_seqscan = off;
ALTER FUNCTION search_words(int[], int[], bigint[], int[], int[], int[], int[], float8[], int[], int[], boolean, boolean, int[], text, int) SET enable_hashjoin = off;
ALTER FUNCTION search_words(int[], int[], bigint[], int[], int[], int[], int[], float8[], int[], int[], boolean, boolean, int[], text, int) SET enable_mergejoin = off;
ALTER FUNCTION search_words(int[], int[], bigint[], int[], int[], int[], int[], float8[], int[], int[], boolean, boolean, int[], text, int) SET jit = off;

-- The first documents by id that have all filters, and how many have.
CREATE FUNCTION search_filters(
  layers int[], all_of int[], named boolean, required int[], scope text, top_k int
) RETURNS TABLE (layer int, id text, matched bigint)
  LANGUAGE plpgsql STABLE AS $$
DECLARE
  this int := current_tenant();
  ranks int[] := ranks_of(layers);
BEGIN
  RETURN QUERY
  WITH found AS (
    (SELECT d.* FROM search_documents d
     WHERE cardinality(all_of) > 0 AND d.tenant + 0 = this AND d.terms @> all_of
     LIMIT 10000)
    UNION ALL
    SELECT d.* FROM unnest(layers) AS v (layer)
      CROSS JOIN LATERAL (SELECT * FROM search_documents d
        WHERE d.tenant = this AND d.layer = v.layer AND d.id = scope OFFSET 0) d
    WHERE named AND d.terms @> required
  ), passed AS MATERIALIZED (
    SELECT f.layer, f.id FROM found f WHERE ranks[f.layer] > 0 AND NOT (f.contested AND EXISTS (SELECT 1 FROM heads h WHERE h.tenant = this
        AND h.id = f.id AND ranks[h.layer] > ranks[f.layer]))
  )
  SELECT p.layer, p.id, (SELECT count(*) FROM passed) FROM passed p ORDER BY p.id LIMIT top_k;
END $$;

ALTER FUNCTION search_filters(int[], int[], boolean, int[], text, int) SECURITY DEFINER;
ALTER FUNCTION search_filters(int[], int[], boolean, int[], text, int) SET search_path = catalog, pg_temp;
ALTER FUNCTION search_filters(int[], int[], boolean, int[], text, int) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION search_filters(int[], int[], boolean, int[], text, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_filters(int[], int[], boolean, int[], text, int) TO catalog_program;

ALTER FUNCTION search_filters(int[], int[], boolean, int[], text, int) SET plan_cache_mode = force_custom_plan;
ALTER FUNCTION search_filters(int[], int[], boolean, int[], text, int) SET enable_seqscan = off;
ALTER FUNCTION search_filters(int[], int[], boolean, int[], text, int) SET enable_hashjoin = off;
ALTER FUNCTION search_filters(int[], int[], boolean, int[], text, int) SET enable_mergejoin = off;
ALTER FUNCTION search_filters(int[], int[], boolean, int[], text, int) SET jit = off;
