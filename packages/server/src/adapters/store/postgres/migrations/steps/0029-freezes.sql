-- Stored freeze windows: one period, or a repeating one.
CREATE TABLE freeze_windows (
  tenant int NOT NULL,
  name text COLLATE "C" NOT NULL,
  start_at timestamptz(3),
  end_at timestamptz(3),
  starts text COLLATE "C",
  ends text COLLATE "C",
  time_zone text COLLATE "C",
  blocks json NOT NULL,
  PRIMARY KEY (tenant, name)
);
ALTER TABLE freeze_windows ENABLE ROW LEVEL SECURITY;
ALTER TABLE freeze_windows FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON freeze_windows TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON freeze_windows TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON freeze_windows TO catalog_program, catalog_keeper;

-- Approvals of admins to ingest a commit in a window, or to weaken an active window.
CREATE TABLE break_glass_approvals (
  tenant int NOT NULL,
  layer_id text COLLATE "C" NOT NULL,
  reference text COLLATE "C" NOT NULL,
  window_name text COLLATE "C" NOT NULL,
  approver text COLLATE "C" NOT NULL,
  approved_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_by text COLLATE "C",
  PRIMARY KEY (tenant, layer_id, reference, window_name, approver)
);
ALTER TABLE break_glass_approvals ENABLE ROW LEVEL SECURITY;
ALTER TABLE break_glass_approvals FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON break_glass_approvals TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON break_glass_approvals TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON break_glass_approvals TO catalog_program, catalog_keeper;

-- Time of the first ingest that a window blocked; null if no ingest is owed.
ALTER TABLE layers ADD COLUMN frozen_since timestamptz(3);
CREATE INDEX layers_frozen ON layers (tenant) WHERE frozen_since IS NOT NULL;

-- Tenants only: each then reads its own layers.
CREATE FUNCTION frozen_tenants() RETURNS TABLE (tenant int) LANGUAGE sql STABLE AS $$
  SELECT DISTINCT l.tenant FROM layers l WHERE l.frozen_since IS NOT NULL AND l.deleted_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM tenant_records t WHERE t.tenant = l.tenant AND NOT t.active)
  ORDER BY l.tenant $$;

ALTER FUNCTION frozen_tenants() SECURITY DEFINER;
ALTER FUNCTION frozen_tenants() SET search_path = catalog, pg_temp;
ALTER FUNCTION frozen_tenants() OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION frozen_tenants() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION frozen_tenants() TO catalog_program;
