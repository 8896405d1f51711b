
CREATE TABLE search_trigrams (
  tenant int NOT NULL,
  trigram text COLLATE "C" NOT NULL,
  term text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, trigram, term)
);

ALTER TABLE search_trigrams ENABLE ROW LEVEL SECURITY;
ALTER TABLE search_trigrams FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON search_trigrams TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON search_trigrams TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON search_trigrams TO catalog_program, catalog_keeper;


-- How terms are made where that has ever changed: every kind that documents may still have, the new one
-- last, and how far that is.
CREATE TABLE search_indexing (
  tenant int PRIMARY KEY,
  kinds text[] NOT NULL,
  layer int NOT NULL,
  id text COLLATE "C" NOT NULL
);

ALTER TABLE search_indexing ENABLE ROW LEVEL SECURITY;
ALTER TABLE search_indexing FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON search_indexing TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON search_indexing TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON search_indexing TO catalog_program, catalog_keeper;


CREATE INDEX domain_postings_term ON domain_postings (tenant, term);

-- What the dictionary takes, as core/search/near-words says it; nothing of other terms.
CREATE FUNCTION is_word(term text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT length(term) BETWEEN 3 AND 32 AND term COLLATE "C" !~ '[0-9:]' $$;
CREATE FUNCTION trigrams_of(term text) RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT DISTINCT substr(' ' || term || ' ', place, 3) FROM generate_series(1, length(term)) AS p (place) $$;

CREATE FUNCTION learn_words() RETURNS trigger LANGUAGE plpgsql
  SET search_path = catalog, pg_temp AS $$
BEGIN
  INSERT INTO search_trigrams (tenant, trigram, term)
    SELECT DISTINCT a.tenant, substr(' ' || a.term || ' ', p.place, 3) COLLATE "C", a.term
    FROM added a CROSS JOIN generate_series(1, 32) AS p (place)
    WHERE p.place <= length(a.term) AND is_word(a.term)
    ORDER BY 1, 2, 3
    -- Looking for them first would read the whole table wherever row-level security keeps a join from the index.
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

-- Each row is looked up by its whole key before any goes.
CREATE FUNCTION forget_words() RETURNS trigger LANGUAGE plpgsql
  SET search_path = catalog, pg_temp AS $$
BEGIN
  DELETE FROM search_trigrams WHERE ctid = ANY (ARRAY(
    SELECT s.place
    FROM (SELECT DISTINCT g.tenant, g.term FROM gone g WHERE is_word(g.term)) g
      CROSS JOIN LATERAL trigrams_of(g.term) AS t (trigram)
      CROSS JOIN LATERAL (SELECT s.ctid AS place FROM search_trigrams s
        WHERE s.tenant = g.tenant AND s.trigram = t.trigram AND s.term = g.term OFFSET 0) s
    WHERE NOT EXISTS (SELECT 1 FROM search_terms s WHERE s.tenant = g.tenant AND s.term = g.term)
      AND NOT EXISTS (SELECT 1 FROM domain_postings p WHERE p.tenant = g.tenant AND p.term = g.term)));
  RETURN NULL;
END $$;

CREATE TRIGGER learn_words AFTER INSERT ON search_terms
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION learn_words();
CREATE TRIGGER forget_words AFTER DELETE ON search_terms
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_words();

CREATE TRIGGER learn_words AFTER INSERT ON domain_postings
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION learn_words();
CREATE TRIGGER forget_words AFTER DELETE ON domain_postings
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_words();

-- What is there already.
INSERT INTO search_trigrams (tenant, trigram, term)
  SELECT w.tenant, t.trigram, w.term
  FROM (SELECT tenant, term FROM search_terms UNION SELECT tenant, term FROM domain_postings) w
    CROSS JOIN LATERAL trigrams_of(w.term) AS t (trigram)
  WHERE is_word(w.term);
