
-- The models that things wait for; of no tenant. What there is when one is added begins to wait a piece at
-- a time: up to fill_tenant, and there up to fill_layer and fill_id.
CREATE TABLE embedding_models (
  number int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  dimensions int NOT NULL,
  external boolean NOT NULL,
  ready boolean NOT NULL,
  wanted_at timestamptz(3) NOT NULL,
  filled boolean NOT NULL DEFAULT false,
  fill_tenant int NOT NULL DEFAULT 0,
  fill_layer int NOT NULL DEFAULT 0,
  fill_id text COLLATE "C" NOT NULL DEFAULT ''
);
GRANT SELECT ON embedding_models TO catalog_program;
GRANT SELECT, INSERT, UPDATE, DELETE ON embedding_models TO catalog_keeper;

-- A stamp is never given twice, so it says which state of which text somebody has seen.
CREATE SEQUENCE waiting_stamps;
GRANT USAGE ON waiting_stamps TO catalog_program, catalog_keeper;

CREATE TABLE waiting_texts (
  tenant int NOT NULL,
  model int NOT NULL,
  kind text COLLATE "C" NOT NULL,
  layer int NOT NULL,
  id text COLLATE "C" NOT NULL,
  stamp bigint NOT NULL DEFAULT nextval('waiting_stamps'),
  attempts int NOT NULL DEFAULT 0,
  -- The end of a pause, or of somebody's lease.
  not_before timestamptz(3) NOT NULL DEFAULT '-infinity',
  since timestamptz(3) NOT NULL DEFAULT now(),
  run text COLLATE "C",
  reason text,
  removed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant, model, kind, layer, id)
);
CREATE INDEX waiting_texts_next ON waiting_texts (model, not_before, stamp);
CREATE INDEX waiting_texts_run ON waiting_texts (tenant, run) WHERE run IS NOT NULL;

ALTER TABLE waiting_texts ENABLE ROW LEVEL SECURITY;
ALTER TABLE waiting_texts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON waiting_texts TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON waiting_texts TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON waiting_texts TO catalog_program, catalog_keeper;


-- Requests to embed again.
CREATE TABLE embedding_runs (
  tenant int NOT NULL,
  run text COLLATE "C" NOT NULL,
  model int NOT NULL,
  total int NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant, run)
);

ALTER TABLE embedding_runs ENABLE ROW LEVEL SECURITY;
ALTER TABLE embedding_runs FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON embedding_runs TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON embedding_runs TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON embedding_runs TO catalog_program, catalog_keeper;


-- By triggers, so that what a program of the former release puts waits as well.

CREATE FUNCTION await_artifacts() RETURNS trigger LANGUAGE plpgsql
  SET search_path = catalog, pg_temp AS $$
BEGIN
  INSERT INTO waiting_texts (tenant, model, kind, layer, id)
    SELECT a.tenant, m.number, 'artifact', a.layer, a.id FROM added a CROSS JOIN embedding_models m
    ON CONFLICT (tenant, model, kind, layer, id) DO UPDATE SET stamp = excluded.stamp, attempts = 0,
      not_before = '-infinity', reason = NULL, removed = false;
  RETURN NULL;
END $$;
CREATE TRIGGER await_artifacts AFTER INSERT ON search_documents
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION await_artifacts();

CREATE FUNCTION await_artifact_removals() RETURNS trigger LANGUAGE plpgsql
  SET search_path = catalog, pg_temp AS $$
BEGIN
  INSERT INTO waiting_texts (tenant, model, kind, layer, id, removed)
    SELECT g.tenant, m.number, 'artifact', g.layer, g.id, true
    FROM gone g CROSS JOIN embedding_models m WHERE m.external
    ON CONFLICT (tenant, model, kind, layer, id) DO UPDATE SET stamp = excluded.stamp, attempts = 0,
      not_before = '-infinity', reason = NULL, removed = true;
  RETURN NULL;
END $$;
CREATE TRIGGER await_artifact_removals AFTER DELETE ON search_documents
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION await_artifact_removals();

CREATE FUNCTION await_domains() RETURNS trigger LANGUAGE plpgsql
  SET search_path = catalog, pg_temp AS $$
BEGIN
  INSERT INTO waiting_texts (tenant, model, kind, layer, id)
    SELECT a.tenant, m.number, 'domain', a.layer, a.path FROM added a CROSS JOIN embedding_models m
    ON CONFLICT (tenant, model, kind, layer, id) DO UPDATE SET stamp = excluded.stamp, attempts = 0,
      not_before = '-infinity', reason = NULL, removed = false;
  RETURN NULL;
END $$;
CREATE TRIGGER await_domains AFTER INSERT ON domain_files
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION await_domains();

CREATE FUNCTION await_domain_removals() RETURNS trigger LANGUAGE plpgsql
  SET search_path = catalog, pg_temp AS $$
BEGIN
  INSERT INTO waiting_texts (tenant, model, kind, layer, id, removed)
    SELECT g.tenant, m.number, 'domain', g.layer, g.path, true
    FROM gone g CROSS JOIN embedding_models m WHERE m.external
    ON CONFLICT (tenant, model, kind, layer, id) DO UPDATE SET stamp = excluded.stamp, attempts = 0,
      not_before = '-infinity', reason = NULL, removed = true;
  RETURN NULL;
END $$;
CREATE TRIGGER await_domain_removals AFTER DELETE ON domain_files
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION await_domain_removals();

-- Across tenants: a model is one for all. Who makes a tenant's row meanwhile has committed it before the
-- model is there, or sees the model.
CREATE FUNCTION add_embedding_model(
  of_name text, of_dimensions int, is_external boolean, now timestamptz
) RETURNS SETOF embedding_models LANGUAGE plpgsql AS $$
BEGIN
  UPDATE embedding_models m SET wanted_at = greatest(m.wanted_at, now)
    WHERE m.name = of_name AND m.dimensions = of_dimensions;
  IF NOT EXISTS (SELECT 1 FROM embedding_models m WHERE m.name = of_name) THEN
    LOCK TABLE tenants IN SHARE ROW EXCLUSIVE MODE;
    INSERT INTO embedding_models (name, dimensions, external, ready, wanted_at)
      SELECT of_name, of_dimensions, is_external,
        NOT EXISTS (SELECT 1 FROM embedding_models) AND NOT EXISTS (SELECT 1 FROM search_documents),
        now
      ON CONFLICT (name) DO NOTHING;
  END IF;
  RETURN QUERY SELECT * FROM embedding_models m WHERE m.name = of_name;
END $$;

ALTER FUNCTION add_embedding_model(text, int, boolean, timestamptz) SECURITY DEFINER;
ALTER FUNCTION add_embedding_model(text, int, boolean, timestamptz) SET search_path = catalog, pg_temp;
ALTER FUNCTION add_embedding_model(text, int, boolean, timestamptz) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION add_embedding_model(text, int, boolean, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION add_embedding_model(text, int, boolean, timestamptz) TO catalog_program;


-- Across tenants: the next of what there is begins to wait for the model. Answers whether all of it does.
-- Whoever changed the tenant has committed before its lock is free; who comes later sees the model.
CREATE FUNCTION fill_embedding_model(of_number int, most int) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  at embedding_models;
  this int;
  last record;
BEGIN
  SELECT * INTO at FROM embedding_models WHERE number = of_number FOR UPDATE;
  IF at.filled IS NOT FALSE THEN RETURN true; END IF;
  SELECT min(tenant) INTO this FROM tenants WHERE tenant >= at.fill_tenant;
  IF this IS NULL THEN
    UPDATE embedding_models SET filled = true WHERE number = of_number;
    RETURN true;
  END IF;
  IF this > at.fill_tenant THEN
    at.fill_layer := 0;
    at.fill_id := '';
  END IF;
  PERFORM 1 FROM tenants WHERE tenant = this FOR UPDATE;
  WITH next AS MATERIALIZED (
    SELECT d.layer, d.id FROM search_documents d
    WHERE d.tenant = this AND (d.layer, d.id) > (at.fill_layer, at.fill_id)
    ORDER BY d.layer, d.id LIMIT most
  ), added AS (
    INSERT INTO waiting_texts (tenant, model, kind, layer, id)
    SELECT this, of_number, 'artifact', n.layer, n.id FROM next n
    ON CONFLICT (tenant, model, kind, layer, id) DO NOTHING
  )
  SELECT n.layer, n.id, (SELECT count(*) FROM next) AS found INTO last
    FROM next n ORDER BY n.layer DESC, n.id DESC LIMIT 1;
  IF last.found = most THEN
    UPDATE embedding_models SET fill_tenant = this, fill_layer = last.layer, fill_id = last.id
      WHERE number = of_number;
  ELSE
    INSERT INTO waiting_texts (tenant, model, kind, layer, id)
      SELECT this, of_number, 'domain', f.layer, f.path FROM domain_files f WHERE f.tenant = this
      ON CONFLICT (tenant, model, kind, layer, id) DO NOTHING;
    UPDATE embedding_models SET fill_tenant = this + 1, fill_layer = 0, fill_id = ''
      WHERE number = of_number;
  END IF;
  RETURN false;
END $$;

ALTER FUNCTION fill_embedding_model(int, int) SECURITY DEFINER;
ALTER FUNCTION fill_embedding_model(int, int) SET search_path = catalog, pg_temp;
ALTER FUNCTION fill_embedding_model(int, int) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION fill_embedding_model(int, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fill_embedding_model(int, int) TO catalog_program;


CREATE FUNCTION mark_embedding_model_ready(of_name text) RETURNS void LANGUAGE sql AS
  $$ UPDATE embedding_models SET ready = true WHERE name = of_name $$;

ALTER FUNCTION mark_embedding_model_ready(text) SECURITY DEFINER;
ALTER FUNCTION mark_embedding_model_ready(text) SET search_path = catalog, pg_temp;
ALTER FUNCTION mark_embedding_model_ready(text) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION mark_embedding_model_ready(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mark_embedding_model_ready(text) TO catalog_program;


-- Across tenants: with the model goes what waits for it, also what a put that was under way when another
-- one went has left.
CREATE FUNCTION drop_embedding_model(of_name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM embedding_models WHERE name = of_name;
  DELETE FROM waiting_texts w WHERE NOT EXISTS (SELECT 1 FROM embedding_models m WHERE m.number = w.model);
  DELETE FROM embedding_runs r WHERE NOT EXISTS (SELECT 1 FROM embedding_models m WHERE m.number = r.model);
END $$;

ALTER FUNCTION drop_embedding_model(text) SECURITY DEFINER;
ALTER FUNCTION drop_embedding_model(text) SET search_path = catalog, pg_temp;
ALTER FUNCTION drop_embedding_model(text) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION drop_embedding_model(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION drop_embedding_model(text) TO catalog_program;


-- Across tenants: who makes vectors makes them for all. What somebody is changing is not taken.
CREATE FUNCTION claim_waiting(of_model text, now timestamptz, until timestamptz, most int)
  RETURNS TABLE (
    tenant int, layer int, kind text, id text, stamp bigint, attempts int, removed boolean
  ) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    WITH claimed AS (
      UPDATE waiting_texts w SET not_before = until WHERE w.ctid = ANY (ARRAY(
        SELECT n.ctid FROM waiting_texts n
        WHERE n.model = (SELECT m.number FROM embedding_models m WHERE m.name = of_model)
          AND n.not_before <= claim_waiting.now
        ORDER BY n.not_before, n.stamp LIMIT most FOR UPDATE SKIP LOCKED))
      RETURNING w.tenant, w.layer, w.kind, w.id, w.stamp, w.attempts, w.removed
    )
    SELECT * FROM claimed c ORDER BY c.stamp;
END $$;

ALTER FUNCTION claim_waiting(text, timestamptz, timestamptz, int) SECURITY DEFINER;
ALTER FUNCTION claim_waiting(text, timestamptz, timestamptz, int) SET search_path = catalog, pg_temp;
ALTER FUNCTION claim_waiting(text, timestamptz, timestamptz, int) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION claim_waiting(text, timestamptz, timestamptz, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION claim_waiting(text, timestamptz, timestamptz, int) TO catalog_program;

ALTER FUNCTION claim_waiting(text, timestamptz, timestamptz, int) SET enable_seqscan = off;
ALTER FUNCTION claim_waiting(text, timestamptz, timestamptz, int) SET enable_bitmapscan = off;
ALTER FUNCTION claim_waiting(text, timestamptz, timestamptz, int) SET enable_sort = off;

-- Numbers only, for metrics and for the switch of models.
CREATE FUNCTION count_waiting(of_model text) RETURNS TABLE (waiting bigint, oldest_at timestamptz)
  LANGUAGE sql STABLE AS $$
  SELECT count(*), min(since) FROM waiting_texts
  WHERE model = (SELECT number FROM embedding_models WHERE name = of_model) $$;

ALTER FUNCTION count_waiting(text) SECURITY DEFINER;
ALTER FUNCTION count_waiting(text) SET search_path = catalog, pg_temp;
ALTER FUNCTION count_waiting(text) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION count_waiting(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_waiting(text) TO catalog_program;


-- The vectors of domains stand beside those of documents, a table for each model.
CREATE FUNCTION add_domain_vectors(model int, dimensions int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE replace(format($sql$
    CREATE TABLE domain_vectors_of_model (
      tenant int NOT NULL,
      layer int NOT NULL,
      path text COLLATE "C" NOT NULL,
      embedding halfvec(%s) NOT NULL,
      PRIMARY KEY (tenant, layer, path)
    );
    
ALTER TABLE domain_vectors_of_model ENABLE ROW LEVEL SECURITY;
ALTER TABLE domain_vectors_of_model FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON domain_vectors_of_model TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON domain_vectors_of_model TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON domain_vectors_of_model TO catalog_program, catalog_keeper;

  $sql$, dimensions), 'domain_vectors_of_model', 'domain_vectors_' || model);
END $$;

ALTER FUNCTION add_domain_vectors(int, int) SECURITY DEFINER;
ALTER FUNCTION add_domain_vectors(int, int) SET search_path = catalog, pg_temp;
ALTER FUNCTION add_domain_vectors(int, int) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION add_domain_vectors(int, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION add_domain_vectors(int, int) TO catalog_program;

REVOKE ALL ON FUNCTION add_domain_vectors(int, int) FROM catalog_program;
CREATE FUNCTION add_domain_vectors_of_model() RETURNS trigger LANGUAGE plpgsql
  SET search_path = catalog, pg_temp AS $$
BEGIN
  PERFORM add_domain_vectors(NEW.number, NEW.dimensions);
  RETURN NULL;
END $$;
CREATE TRIGGER add_domain_vectors AFTER INSERT ON vector_models
  FOR EACH ROW EXECUTE FUNCTION add_domain_vectors_of_model();
SELECT add_domain_vectors(number, dimensions) FROM vector_models;

GRANT DELETE ON vector_models TO catalog_keeper;
-- Across tenants: what a model is, is the same for all.
CREATE FUNCTION drop_vector_model(of_name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE model int;
BEGIN
  DELETE FROM vector_models m WHERE m.name = of_name RETURNING m.number INTO model;
  IF model IS NOT NULL THEN
    EXECUTE format('DROP TABLE vectors_%1$s, domain_vectors_%1$s', model);
  END IF;
END $$;

ALTER FUNCTION drop_vector_model(text) SECURITY DEFINER;
ALTER FUNCTION drop_vector_model(text) SET search_path = catalog, pg_temp;
ALTER FUNCTION drop_vector_model(text) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION drop_vector_model(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION drop_vector_model(text) TO catalog_program;


-- Vectors go with what they are of. While the graph of a model is made nothing can be taken out of its
-- table: those that stay are of documents that are gone, and go when the graph is there. Whoever puts
-- documents does not wait for that, nor fails when a model goes in this moment.
CREATE OR REPLACE FUNCTION drop_vectors() RETURNS trigger LANGUAGE plpgsql
  SET search_path = catalog, pg_temp SET lock_timeout = '100ms' AS $$
DECLARE model int;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM gone) THEN RETURN NULL; END IF;
  FOR model IN SELECT number FROM vector_models LOOP
    BEGIN
      EXECUTE format('DELETE FROM vectors_%s v USING gone
        WHERE v.tenant = gone.tenant AND v.layer = gone.layer AND v.doc = gone.doc', model);
    EXCEPTION WHEN undefined_table OR lock_not_available THEN NULL;
    END;
  END LOOP;
  RETURN NULL;
END $$;
CREATE FUNCTION drop_domain_vectors() RETURNS trigger LANGUAGE plpgsql
  SET search_path = catalog, pg_temp AS $$
DECLARE model int;
BEGIN
  FOR model IN SELECT number FROM vector_models LOOP
    BEGIN
      EXECUTE format('DELETE FROM domain_vectors_%s v USING gone
        WHERE v.tenant = gone.tenant AND v.layer = gone.layer AND v.path = gone.path', model);
    EXCEPTION WHEN undefined_table THEN NULL;
    END;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER drop_domain_vectors AFTER DELETE ON domain_files
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION drop_domain_vectors();

-- Makes the graph of a model that has more vectors than are compared one by one, once.
CREATE OR REPLACE FUNCTION settle_vectors(model int, fewest int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE many boolean;
BEGIN
  IF to_regclass(format('vectors_%s_near', model)) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('SELECT count(*) > $1 FROM (SELECT 1 FROM vectors_%s LIMIT $1 + 1) v', model)
    INTO many USING fewest;
  IF NOT many THEN RETURN; END IF;
  EXECUTE format('CREATE INDEX IF NOT EXISTS vectors_%1$s_near ON vectors_%1$s
    USING hnsw (embedding halfvec_ip_ops) WITH (m = 16, ef_construction = 64)', model);
  EXECUTE format('DELETE FROM vectors_%s v WHERE NOT EXISTS (SELECT 1 FROM search_documents d
    WHERE d.tenant = v.tenant AND d.doc = v.doc)', model);
END $$;

ALTER FUNCTION settle_vectors(int, int) SECURITY DEFINER;
ALTER FUNCTION settle_vectors(int, int) SET search_path = catalog, pg_temp;
ALTER FUNCTION settle_vectors(int, int) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION settle_vectors(int, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION settle_vectors(int, int) TO catalog_program;

ALTER FUNCTION settle_vectors(int, int) SET maintenance_work_mem = '1GB';

-- The nearest documents of a view: of all in it one by one (exact), by the graph (near), or of those that
-- have all filters one by one (filtered). One by one, all that are as near as the last one are ordered;
-- the graph gives them nearly in order, so some more are taken.
CREATE FUNCTION find_nearest(
  model int, layers int[], wanted halfvec, way text,
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
  most text := CASE way WHEN 'near' THEN 'LIMIT $9 + 50'
    ELSE 'ORDER BY v.distance FETCH FIRST $9 ROWS WITH TIES' END;
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
      ' || most || '
    )
    SELECT t.layer, t.id, -t.distance FROM taken t ORDER BY t.distance, $3[t.layer] DESC, t.id LIMIT $9',
    model) USING this, layers, ranks, wanted, all_of, named, required, scope, top_k;
END $$;

ALTER FUNCTION find_nearest(int, int[], halfvec, text, int[], boolean, int[], text, int) SECURITY DEFINER;
ALTER FUNCTION find_nearest(int, int[], halfvec, text, int[], boolean, int[], text, int) SET search_path = catalog, pg_temp;
ALTER FUNCTION find_nearest(int, int[], halfvec, text, int[], boolean, int[], text, int) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION find_nearest(int, int[], halfvec, text, int[], boolean, int[], text, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_nearest(int, int[], halfvec, text, int[], boolean, int[], text, int) TO catalog_program;

ALTER FUNCTION find_nearest(int, int[], halfvec, text, int[], boolean, int[], text, int) SET plan_cache_mode = force_custom_plan;
ALTER FUNCTION find_nearest(int, int[], halfvec, text, int[], boolean, int[], text, int) SET enable_seqscan = off;
ALTER FUNCTION find_nearest(int, int[], halfvec, text, int[], boolean, int[], text, int) SET enable_hashjoin = off;
ALTER FUNCTION find_nearest(int, int[], halfvec, text, int[], boolean, int[], text, int) SET enable_mergejoin = off;
ALTER FUNCTION find_nearest(int, int[], halfvec, text, int[], boolean, int[], text, int) SET jit = off;
ALTER FUNCTION find_nearest(int, int[], halfvec, text, int[], boolean, int[], text, int) SET enable_sort = off;
ALTER FUNCTION find_nearest(int, int[], halfvec, text, int[], boolean, int[], text, int) SET hnsw.ef_search = 600;
ALTER FUNCTION find_nearest(int, int[], halfvec, text, int[], boolean, int[], text, int) SET hnsw.iterative_scan = relaxed_order;
