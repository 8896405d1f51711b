-- Versions whose content an administrator removed. Their ledger rows stay.
CREATE TABLE purges (
  tenant int NOT NULL,
  layer_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  version text COLLATE "C" NOT NULL,
  content_hash text COLLATE "C" NOT NULL,
  reason text NOT NULL,
  purged_by text COLLATE "C" NOT NULL,
  purged_at timestamptz(3) NOT NULL,
  pending_objects json NOT NULL,
  PRIMARY KEY (tenant, layer_id, id, version)
);
ALTER TABLE purges ENABLE ROW LEVEL SECURITY;
ALTER TABLE purges FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON purges TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON purges TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON purges TO catalog_program, catalog_keeper;
