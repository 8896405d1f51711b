-- Signatures of the registry over its versions; one without a row is not signed.
CREATE TABLE version_signatures (
  tenant int NOT NULL,
  layer int NOT NULL,
  id text COLLATE "C" NOT NULL,
  version text COLLATE "C" NOT NULL,
  content_hash text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  payload text NOT NULL,
  signature text NOT NULL,
  signed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant, layer, id, version)
);
CREATE INDEX version_signatures_content ON version_signatures (tenant, content_hash);
ALTER TABLE version_signatures ENABLE ROW LEVEL SECURITY;
ALTER TABLE version_signatures FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON version_signatures TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON version_signatures TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON version_signatures TO catalog_program, catalog_keeper;

-- A trigger, so that a purge by a program of the release before removes them too.
CREATE FUNCTION remove_signatures() RETURNS trigger LANGUAGE plpgsql
  SET search_path = catalog, pg_temp AS $$
BEGIN
  DELETE FROM version_signatures s USING gone
    WHERE s.tenant = gone.tenant AND s.layer = gone.layer AND s.id = gone.id
      AND s.version = gone.version;
  RETURN NULL;
END $$;
CREATE TRIGGER version_signatures_removed AFTER DELETE ON versions
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION remove_signatures();

-- Published key sets, which belong to the only tenant: they are the same for all.
CREATE TABLE key_sets (
  tenant int NOT NULL,
  version bigint NOT NULL,
  document text NOT NULL,
  signatures json NOT NULL,
  PRIMARY KEY (tenant, version)
);
ALTER TABLE key_sets ENABLE ROW LEVEL SECURITY;
ALTER TABLE key_sets FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON key_sets TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON key_sets TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON key_sets TO catalog_program, catalog_keeper;
