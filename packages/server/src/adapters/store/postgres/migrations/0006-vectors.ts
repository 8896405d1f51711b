import type { Migration } from './migration.ts';
import { NEAREST_VECTORS, SHOWN_DOCUMENT } from './search-candidates.ts';
import { searchFunction } from './search-function.ts';
import { keeperFunction, tenantTable } from './tenant-table.ts';

const SEARCH_VECTORS = 'search_vectors(int, int[], text, text, int[], boolean, int[], text, int)';

/** Past it an entry does not fit a page of an index: the exact search then reads the table. */
const MOST_COVERED = 1_200;
/** Past it a vector does not fit a page of the table. */
const MOST_PLAIN = 3_500;

/** Vectors of documents, a table for each model (decision record 0026). */
export const vectors: Migration = {
  number: 6,
  name: 'vectors',
  oldest_program: 1,
  sql: `
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
      ${tenantTable('vectors_of_model')}
    $sql$, of_dimensions,
      CASE WHEN of_dimensions <= ${MOST_COVERED} THEN 'INCLUDE (embedding)' ELSE '' END),
      'vectors_of_model', 'vectors_' || made);
    IF of_dimensions <= ${MOST_PLAIN} THEN
      EXECUTE format('ALTER TABLE vectors_%s ALTER COLUMN embedding SET STORAGE PLAIN', made);
    END IF;
  END IF;
  RETURN QUERY SELECT m.number, m.dimensions FROM vector_models m WHERE m.name = of_name;
END $$;
${keeperFunction('add_vector_model(text, int)')}

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
${keeperFunction('settle_vectors(int, int)')}
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
${NEAREST_VECTORS}BEGIN
  RETURN QUERY EXECUTE format('
    WITH taken AS (
      SELECT d.layer, d.id, v.distance FROM (' || nearest || ') v
      CROSS JOIN LATERAL (
        SELECT d.layer, d.id FROM search_documents d
${SHOWN_DOCUMENT}        OFFSET 0) d
      LIMIT $9 + 50
    )
    SELECT t.layer, t.id, -t.distance FROM taken t ORDER BY t.distance, $3[t.layer] DESC, t.id LIMIT $9',
    model) USING this, layers, ranks, wanted::halfvec, all_of, named, required, scope, top_k;
END $$;
${searchFunction(SEARCH_VECTORS)}
ALTER FUNCTION ${SEARCH_VECTORS} SET enable_sort = off;
ALTER FUNCTION ${SEARCH_VECTORS} SET hnsw.ef_search = 600;
ALTER FUNCTION ${SEARCH_VECTORS} SET hnsw.iterative_scan = relaxed_order;
`,
};
