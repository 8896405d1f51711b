
-- The identity of this database, which its object store also holds (ADR-0068); a row once a registry was
-- started. It is about all tenants, so it has no policy.
CREATE TABLE store_identity (
  only_one boolean PRIMARY KEY CHECK (only_one),
  identity text COLLATE "C" NOT NULL,
  -- The identity that the object store holds; NULL until this database has claimed one.
  object_store_identity text COLLATE "C",
  -- Where the database was when it got its identity.
  origin text COLLATE "C" NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON store_identity TO catalog_program, catalog_keeper;

-- The server, the timeline and the database. A dump, a copy, a recovery from an archive and the promotion
-- of a standby each change one of them. NULL on a standby, which has no timeline of its own.
CREATE FUNCTION store_origin() RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  server text := '';
BEGIN
  IF pg_is_in_recovery() THEN RETURN NULL; END IF;
  -- Some managed services reserve this function.
  IF has_function_privilege('pg_control_system()', 'execute') THEN
    server := (SELECT system_identifier FROM pg_control_system());
  END IF;
  RETURN server || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) || '/'
    || (SELECT oid FROM pg_database WHERE datname = current_database());
END $$;

ALTER FUNCTION store_origin() SET search_path = catalog, pg_temp;
REVOKE ALL ON FUNCTION store_origin() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION store_origin() TO catalog_program;
