CREATE TABLE receivers (
  tenant int NOT NULL,
  receiver text COLLATE "C" NOT NULL,
  url text NOT NULL,
  secret text NOT NULL,
  previous_secret text,
  previous_secret_until timestamptz(3),
  event_filter json,
  debounce_ms int,
  disabled_by text,
  created_at timestamptz(3) NOT NULL,
  -- Every event up to this one was dispatched or did not match.
  cursor bigint NOT NULL,
  window_end timestamptz(3),
  paused_until timestamptz(3),
  failure_count int NOT NULL,
  failing_since timestamptz(3),
  last_delivery timestamptz(3),
  last_failure timestamptz(3),
  PRIMARY KEY (tenant, receiver)
) WITH (fillfactor = 50);

ALTER TABLE receivers ENABLE ROW LEVEL SECURITY;
ALTER TABLE receivers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON receivers TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON receivers TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON receivers TO catalog_program, catalog_keeper;

CREATE TABLE dispatches (
  tenant int NOT NULL,
  receiver text COLLATE "C" NOT NULL,
  dispatch text COLLATE "C" NOT NULL,
  event text NOT NULL,
  cursor bigint NOT NULL,
  body text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- When the next attempt is due, or a claim ends.
  not_before timestamptz(3) NOT NULL,
  worker text,
  state text NOT NULL,
  attempts int NOT NULL,
  -- Rises with every claim; who holds the dispatch proves that by this number.
  fence int NOT NULL,
  last_attempt timestamptz(3),
  status int,
  duration_ms int,
  response text,
  error text,
  PRIMARY KEY (tenant, receiver, dispatch)
) WITH (fillfactor = 70);
CREATE INDEX dispatches_due ON dispatches (tenant, receiver, not_before) WHERE state = 'pending';
CREATE INDEX dispatches_log ON dispatches (tenant, receiver, created_at, dispatch);
CREATE INDEX dispatches_ended ON dispatches (tenant, created_at) WHERE state <> 'pending';
CREATE INDEX dispatches_claimed ON dispatches (worker) WHERE worker IS NOT NULL;

ALTER TABLE dispatches ENABLE ROW LEVEL SECURITY;
ALTER TABLE dispatches FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON dispatches TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON dispatches TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON dispatches TO catalog_program, catalog_keeper;

-- Across tenants: processes send for every tenant.
CREATE FUNCTION receivers_due(now timestamptz) RETURNS TABLE (tenant int, receiver text)
  LANGUAGE sql STABLE AS $$
  SELECT r.tenant, r.receiver FROM receivers r JOIN tenants t ON t.tenant = r.tenant
  WHERE r.disabled_by IS NULL AND (r.paused_until IS NULL OR r.paused_until <= receivers_due.now)
    AND NOT EXISTS (SELECT 1 FROM tenant_records a WHERE a.tenant = r.tenant AND NOT a.active)
    AND (r.cursor <> t.event_sequence
        AND (r.window_end IS NULL OR r.window_end <= receivers_due.now)
      OR EXISTS (SELECT 1 FROM dispatches d WHERE d.tenant = r.tenant AND d.receiver = r.receiver
        AND d.state = 'pending' AND d.not_before <= receivers_due.now))
  ORDER BY r.tenant, r.receiver $$;

ALTER FUNCTION receivers_due(timestamptz) SECURITY DEFINER;
ALTER FUNCTION receivers_due(timestamptz) SET search_path = catalog, pg_temp;
ALTER FUNCTION receivers_due(timestamptz) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION receivers_due(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION receivers_due(timestamptz) TO catalog_program;

CREATE FUNCTION dispatch_workers() RETURNS TABLE (worker text) LANGUAGE sql STABLE AS
  $$ SELECT DISTINCT worker FROM dispatches WHERE worker IS NOT NULL $$;

ALTER FUNCTION dispatch_workers() SECURITY DEFINER;
ALTER FUNCTION dispatch_workers() SET search_path = catalog, pg_temp;
ALTER FUNCTION dispatch_workers() OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION dispatch_workers() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dispatch_workers() TO catalog_program;

CREATE FUNCTION end_claims(gone text) RETURNS void LANGUAGE sql AS
  $$ UPDATE dispatches SET worker = NULL, not_before = created_at WHERE worker = gone $$;

ALTER FUNCTION end_claims(text) SECURITY DEFINER;
ALTER FUNCTION end_claims(text) SET search_path = catalog, pg_temp;
ALTER FUNCTION end_claims(text) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION end_claims(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION end_claims(text) TO catalog_program;

-- Numbers only, for metrics.
CREATE FUNCTION dispatch_depth()
  RETURNS TABLE (pending bigint, oldest_created_at timestamptz, disabled_receivers bigint)
  LANGUAGE sql STABLE AS $$
  SELECT count(*), min(created_at), (SELECT count(*) FROM receivers WHERE disabled_by IS NOT NULL)
  FROM dispatches WHERE state = 'pending' $$;

ALTER FUNCTION dispatch_depth() SECURITY DEFINER;
ALTER FUNCTION dispatch_depth() SET search_path = catalog, pg_temp;
ALTER FUNCTION dispatch_depth() OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION dispatch_depth() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dispatch_depth() TO catalog_program;
