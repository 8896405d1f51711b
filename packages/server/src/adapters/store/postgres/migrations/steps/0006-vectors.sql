
-- The models that there are tables for; of no tenant.
CREATE TABLE vector_models (
  number int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  dimensions int NOT NULL
);
GRANT SELECT ON vector_models TO catalog_program;
GRANT SELECT, INSERT ON vector_models TO catalog_keeper;

-- Across tenants: what a model is, is the same for all. Answers the dimensions it has.
CREATE FUNCTION add_vector_model(of_name text, of_dimensions int)
  RETURNS TABLE (number int, dimensions int) LANGUAGE plpgsql AS $$
DECLARE made int;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('catalog.vector_models'));
  IF NOT EXISTS (SELECT 1 FROM vector_models m WHERE m.name = of_name) THEN
    INSERT INTO vector_models AS m (name, dimensions) VALUES (of_name, of_dimensions)
      RETURNING m.number INTO made;
    EXECUTE replace(format($sql$
      CREATE TABLE vectors_of_model (
        tenant int NOT NULL,
        layer int NOT NULL,
        doc bigint NOT NULL,
        embedding halfvec(%s) NOT NULL
      );
      CREATE UNIQUE INDEX vectors_of_model_doc ON vectors_of_model (tenant, layer, doc) %s;
      
ALTER TABLE vectors_of_model ENABLE ROW LEVEL SECURITY;
ALTER TABLE vectors_of_model FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON vectors_of_model TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON vectors_of_model TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON vectors_of_model TO catalog_program, catalog_keeper;

    $sql$, of_dimensions,
      CASE WHEN of_dimensions <= 1200 THEN 'INCLUDE (embedding)' ELSE '' END),
      'vectors_of_model', 'vectors_' || made);
    IF of_dimensions <= 3500 THEN
      EXECUTE format('ALTER TABLE vectors_%s ALTER COLUMN embedding SET STORAGE PLAIN', made);
    END IF;
  END IF;
  RETURN QUERY SELECT m.number, m.dimensions FROM vector_models m WHERE m.name = of_name;
END $$;

ALTER FUNCTION add_vector_model(text, int) SECURITY DEFINER;
ALTER FUNCTION add_vector_model(text, int) SET search_path = catalog, pg_temp;
ALTER FUNCTION add_vector_model(text, int) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION add_vector_model(text, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION add_vector_model(text, int) TO catalog_program;


-- Across tenants: the graph of the nearest is one for all of them.
CREATE FUNCTION settle_vectors(model int, fewest int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE many boolean;
BEGIN
  EXECUTE format('SELECT count(*) > $1 FROM (SELECT 1 FROM vectors_%s LIMIT $1 + 1) v', model)
    INTO many USING fewest;
  IF many THEN
    EXECUTE format('CREATE INDEX IF NOT EXISTS vectors_%1$s_near ON vectors_%1$s
      USING hnsw (embedding halfvec_ip_ops) WITH (m = 16, ef_construction = 64)', model);
  END IF;
END $$;

ALTER FUNCTION settle_vectors(int, int) SECURITY DEFINER;
ALTER FUNCTION settle_vectors(int, int) SET search_path = catalog, pg_temp;
ALTER FUNCTION settle_vectors(int, int) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION settle_vectors(int, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION settle_vectors(int, int) TO catalog_program;

ALTER FUNCTION settle_vectors(int, int) SET maintenance_work_mem = '1GB';

-- A vector goes with its document.
CREATE FUNCTION drop_vectors() RETURNS trigger LANGUAGE plpgsql
  SET search_path = catalog, pg_temp AS $$
DECLARE model int;
BEGIN
  FOR model IN SELECT number FROM vector_models LOOP
    EXECUTE format('DELETE FROM vectors_%s v USING gone
      WHERE v.tenant = gone.tenant AND v.layer = gone.layer AND v.doc = gone.doc', model);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER drop_vectors AFTER DELETE ON search_documents
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION drop_vectors();

-- The nearest documents of a view: of all in it one by one (exact), by the graph (near), or of those that
-- have all filters one by one (filtered). The graph gives them nearly in order, so some more are taken.
CREATE FUNCTION search_vectors(
  model int, layers int[], wanted text, way text,
  all_of int[], named boolean, required int[], scope text, top_k int
) RETURNS TABLE (layer int, id text, similarity float8) LANGUAGE plpgsql STABLE AS $$
DECLARE
  this int := current_tenant();
  ranks int[] := ranks_of(layers);
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
BEGIN
  RETURN QUERY EXECUTE format('
    WITH taken AS (
      SELECT d.layer, d.id, v.distance FROM (' || nearest || ') v
      CROSS JOIN LATERAL (
        SELECT d.layer, d.id FROM search_documents d
        WHERE d.tenant = $1 AND d.doc = v.doc AND $3[d.layer] > 0
          AND (cardinality($7) = 0 OR d.terms @> $7)
          AND ($8 = '''' OR d.id = $8
        OR (d.id > $8 || ''/'' AND d.id < $8 || ''0''))
          AND NOT (d.contested AND EXISTS (SELECT 1 FROM heads h WHERE h.tenant = $1
        AND h.id = d.id AND $3[h.layer] > $3[d.layer]))
        OFFSET 0) d
      LIMIT $9 + 50
    )
    SELECT t.layer, t.id, -t.distance FROM taken t ORDER BY t.distance, $3[t.layer] DESC, t.id LIMIT $9',
    model) USING this, layers, ranks, wanted::halfvec, all_of, named, required, scope, top_k;
END $$;

ALTER FUNCTION search_vectors(int, int[], text, text, int[], boolean, int[], text, int) SECURITY DEFINER;
ALTER FUNCTION search_vectors(int, int[], text, text, int[], boolean, int[], text, int) SET search_path = catalog, pg_temp;
ALTER FUNCTION search_vectors(int, int[], text, text, int[], boolean, int[], text, int) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION search_vectors(int, int[], text, text, int[], boolean, int[], text, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_vectors(int, int[], text, text, int[], boolean, int[], text, int) TO catalog_program;

ALTER FUNCTION search_vectors(int, int[], text, text, int[], boolean, int[], text, int) SET plan_cache_mode = force_custom_plan;
ALTER FUNCTION search_vectors(int, int[], text, text, int[], boolean, int[], text, int) SET enable_seqscan = off;
ALTER FUNCTION search_vectors(int, int[], text, text, int[], boolean, int[], text, int) SET enable_hashjoin = off;
ALTER FUNCTION search_vectors(int, int[], text, text, int[], boolean, int[], text, int) SET enable_mergejoin = off;
ALTER FUNCTION search_vectors(int, int[], text, text, int[], boolean, int[], text, int) SET jit = off;
ALTER FUNCTION search_vectors(int, int[], text, text, int[], boolean, int[], text, int) SET enable_sort = off;
ALTER FUNCTION search_vectors(int, int[], text, text, int[], boolean, int[], text, int) SET hnsw.ef_search = 600;
ALTER FUNCTION search_vectors(int, int[], text, text, int[], boolean, int[], text, int) SET hnsw.iterative_scan = relaxed_order;
