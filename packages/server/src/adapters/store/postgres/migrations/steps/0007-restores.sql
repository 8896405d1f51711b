
CREATE TABLE restores (
  only_one boolean PRIMARY KEY CHECK (only_one),
  source text NOT NULL,
  done json NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON restores TO catalog_program, catalog_keeper;

-- A yes or no about every tenant: whether a copy may go into this database.
CREATE FUNCTION store_is_empty() RETURNS boolean LANGUAGE sql STABLE AS
  $$ SELECT NOT EXISTS (SELECT 1 FROM layer_numbers) $$;

ALTER FUNCTION store_is_empty() SECURITY DEFINER;
ALTER FUNCTION store_is_empty() SET search_path = catalog, pg_temp;
ALTER FUNCTION store_is_empty() OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION store_is_empty() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION store_is_empty() TO catalog_program;

