
-- The counters of a tenant. Each is the last value given. Whoever changes a tenant locks its row.
CREATE TABLE tenants (
  tenant int PRIMARY KEY,
  revision bigint NOT NULL DEFAULT 0,
  ingest_order bigint NOT NULL DEFAULT 0,
  event_sequence bigint NOT NULL DEFAULT 0,
  audit_position bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

ALTER TABLE tenants ENABLE ROW LEVEL SECURITY;
ALTER TABLE tenants FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON tenants TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON tenants TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON tenants TO catalog_program, catalog_keeper;


-- A layer id gets its number once and keeps it when it is registered again.
CREATE TABLE layer_numbers (
  tenant int NOT NULL,
  id text COLLATE "C" NOT NULL,
  number int NOT NULL,
  revision bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, number)
);

ALTER TABLE layer_numbers ENABLE ROW LEVEL SECURITY;
ALTER TABLE layer_numbers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON layer_numbers TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON layer_numbers TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON layer_numbers TO catalog_program, catalog_keeper;


CREATE TABLE layers (
  tenant int NOT NULL,
  number int NOT NULL,
  id text COLLATE "C" NOT NULL,
  "order" bigint NOT NULL,
  user_defined boolean NOT NULL,
  public boolean NOT NULL,
  organization boolean NOT NULL,
  groups text[],
  users text[],
  source_type text NOT NULL,
  repo text NOT NULL,
  ref text NOT NULL,
  root text NOT NULL,
  local_path text NOT NULL,
  owner text NOT NULL,
  git_provider text NOT NULL,
  force_push_policy text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3),
  last_ingested_at timestamptz(3),
  last_ingested_ref text,
  webhook_secret text NOT NULL,
  webhook_key text COLLATE "C" NOT NULL,
  source_state text,
  PRIMARY KEY (tenant, number)
);
CREATE UNIQUE INDEX layers_webhook_key ON layers (webhook_key) WHERE webhook_key <> '';

ALTER TABLE layers ENABLE ROW LEVEL SECURITY;
ALTER TABLE layers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON layers TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON layers TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON layers TO catalog_program, catalog_keeper;


-- The key of an inbound address finds its tenant: the one search that knows none.
CREATE FUNCTION tenant_of_webhook(key text) RETURNS TABLE (tenant int, id text)
  LANGUAGE sql STABLE AS
  $$ SELECT tenant, id FROM layers WHERE webhook_key = key AND key <> '' $$;

ALTER FUNCTION tenant_of_webhook(text) SECURITY DEFINER;
ALTER FUNCTION tenant_of_webhook(text) SET search_path = catalog, pg_temp;
ALTER FUNCTION tenant_of_webhook(text) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION tenant_of_webhook(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tenant_of_webhook(text) TO catalog_program;


CREATE TABLE outbox (
  tenant int NOT NULL,
  sequence bigint NOT NULL,
  timestamp timestamptz(3) NOT NULL,
  body json NOT NULL,
  PRIMARY KEY (tenant, sequence)
);

ALTER TABLE outbox ENABLE ROW LEVEL SECURITY;
ALTER TABLE outbox FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON outbox TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON outbox TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON outbox TO catalog_program, catalog_keeper;


CREATE TABLE audit (
  tenant int NOT NULL,
  position bigint NOT NULL,
  record json NOT NULL,
  PRIMARY KEY (tenant, position)
);

ALTER TABLE audit ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON audit TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON audit TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON audit TO catalog_program, catalog_keeper;


CREATE TABLE sessions (
  tenant int NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  layer int NOT NULL,
  version text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant, session_id, id)
);
CREATE INDEX sessions_expiry ON sessions (expires_at);

ALTER TABLE sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE sessions FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON sessions TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON sessions TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON sessions TO catalog_program, catalog_keeper;


CREATE TABLE deliveries (
  tenant int NOT NULL,
  layer int NOT NULL,
  delivery_id text COLLATE "C" NOT NULL,
  job text NOT NULL,
  received_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant, layer, delivery_id)
);
CREATE INDEX deliveries_age ON deliveries (received_at);

ALTER TABLE deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE deliveries FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON deliveries TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON deliveries TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON deliveries TO catalog_program, catalog_keeper;


-- What has expired goes for every tenant at once, so many rows in a statement. One that was renewed
-- meanwhile stays.
CREATE FUNCTION prune_sessions(now timestamptz, most int) RETURNS int LANGUAGE sql AS $$
  WITH gone AS (
    DELETE FROM sessions WHERE expires_at <= now AND ctid = ANY (ARRAY(
      SELECT ctid FROM sessions WHERE expires_at <= now ORDER BY expires_at LIMIT most))
    RETURNING 1)
  SELECT count(*)::int FROM gone $$;

ALTER FUNCTION prune_sessions(timestamptz, int) SECURITY DEFINER;
ALTER FUNCTION prune_sessions(timestamptz, int) SET search_path = catalog, pg_temp;
ALTER FUNCTION prune_sessions(timestamptz, int) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION prune_sessions(timestamptz, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION prune_sessions(timestamptz, int) TO catalog_program;

CREATE FUNCTION prune_deliveries(before timestamptz, most int) RETURNS int LANGUAGE sql AS $$
  WITH gone AS (
    DELETE FROM deliveries WHERE received_at < before AND ctid = ANY (ARRAY(
      SELECT ctid FROM deliveries WHERE received_at < before ORDER BY received_at LIMIT most))
    RETURNING 1)
  SELECT count(*)::int FROM gone $$;

ALTER FUNCTION prune_deliveries(timestamptz, int) SECURITY DEFINER;
ALTER FUNCTION prune_deliveries(timestamptz, int) SET search_path = catalog, pg_temp;
ALTER FUNCTION prune_deliveries(timestamptz, int) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION prune_deliveries(timestamptz, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION prune_deliveries(timestamptz, int) TO catalog_program;

