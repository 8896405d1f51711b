
-- What rollbacks changed about versions, which never change themselves.
CREATE TABLE version_standings (
  tenant int NOT NULL,
  layer int NOT NULL,
  id text COLLATE "C" NOT NULL,
  version text COLLATE "C" NOT NULL,
  ingest_order bigint NOT NULL,
  rolled_back boolean NOT NULL,
  PRIMARY KEY (tenant, layer, id, version)
);

ALTER TABLE version_standings ENABLE ROW LEVEL SECURITY;
ALTER TABLE version_standings FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON version_standings TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON version_standings TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON version_standings TO catalog_program, catalog_keeper;

-- A trigger, so that a purge by a program of the release before removes them too.
CREATE FUNCTION remove_standings() RETURNS trigger LANGUAGE plpgsql
  SET search_path = catalog, pg_temp AS $$
BEGIN
  DELETE FROM version_standings s USING gone
    WHERE s.tenant = gone.tenant AND s.layer = gone.layer AND s.id = gone.id
      AND s.version = gone.version;
  RETURN NULL;
END $$;
CREATE TRIGGER version_standings_removed AFTER DELETE ON versions
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION remove_standings();
