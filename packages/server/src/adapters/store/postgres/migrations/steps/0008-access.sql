
CREATE TABLE tenant_records (
  tenant int PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  name text COLLATE "C" NOT NULL UNIQUE,
  active boolean NOT NULL,
  storage_bytes bigint NOT NULL,
  search_qps bigint NOT NULL,
  materialize_rate bigint NOT NULL,
  audit_volume_per_day bigint NOT NULL,
  max_user_layers bigint NOT NULL,
  -- Null leaves it to the deployment.
  expose_scope_preview boolean,
  created_at timestamptz(3) NOT NULL
);

ALTER TABLE tenant_records ENABLE ROW LEVEL SECURITY;
ALTER TABLE tenant_records FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON tenant_records TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON tenant_records TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON tenant_records TO catalog_program, catalog_keeper;


-- A credential names an organization; which tenant that is, nobody knows before.
CREATE FUNCTION tenant_of_organization(organization text) RETURNS TABLE (tenant int)
  LANGUAGE sql STABLE AS
  $$ SELECT tenant FROM tenant_records WHERE id = organization OR name = organization $$;

ALTER FUNCTION tenant_of_organization(text) SECURITY DEFINER;
ALTER FUNCTION tenant_of_organization(text) SET search_path = catalog, pg_temp;
ALTER FUNCTION tenant_of_organization(text) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION tenant_of_organization(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tenant_of_organization(text) TO catalog_program;


-- Operators look at all of them.
CREATE FUNCTION every_tenant() RETURNS SETOF tenant_records LANGUAGE sql STABLE AS
  $$ SELECT * FROM tenant_records ORDER BY name $$;

ALTER FUNCTION every_tenant() SECURITY DEFINER;
ALTER FUNCTION every_tenant() SET search_path = catalog, pg_temp;
ALTER FUNCTION every_tenant() OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION every_tenant() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION every_tenant() TO catalog_program;


-- What a registry does by itself, it does for one tenant after the other.
CREATE FUNCTION active_tenants() RETURNS TABLE (tenant int) LANGUAGE sql STABLE AS
  $$ SELECT tenant FROM tenant_records WHERE active ORDER BY tenant $$;

ALTER FUNCTION active_tenants() SECURITY DEFINER;
ALTER FUNCTION active_tenants() SET search_path = catalog, pg_temp;
ALTER FUNCTION active_tenants() OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION active_tenants() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION active_tenants() TO catalog_program;


-- Folders are watched for all tenants at once.
CREATE INDEX layers_folders ON layers (tenant) WHERE source_type = 'local' AND deleted_at IS NULL;
CREATE FUNCTION watched_tenants() RETURNS TABLE (tenant int, revision bigint)
  LANGUAGE sql STABLE AS $$
  SELECT tenant, revision FROM tenants t
  WHERE tenant IN (SELECT l.tenant FROM layers l WHERE source_type = 'local' AND deleted_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM tenant_records r WHERE r.tenant = t.tenant AND NOT r.active)
  ORDER BY tenant $$;

ALTER FUNCTION watched_tenants() SECURITY DEFINER;
ALTER FUNCTION watched_tenants() SET search_path = catalog, pg_temp;
ALTER FUNCTION watched_tenants() OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION watched_tenants() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION watched_tenants() TO catalog_program;


-- A number, an id and a name are one tenant's alone, so whoever takes them looks at all. Those who
-- create one follow each other. One that is there already is a conflict: the transaction is run again
-- and finds it. Number 1 is given to nobody who does not ask for it.
CREATE FUNCTION create_tenant(wanted json) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  created tenant_records := json_populate_record(NULL::tenant_records, wanted);
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('catalog: the next tenant', 0));
  IF EXISTS (SELECT 1 FROM tenant_records t WHERE t.tenant = created.tenant
      OR t.id IN (created.id, created.name) OR t.name IN (created.id, created.name)) THEN
    RAISE serialization_failure USING MESSAGE = 'This tenant is there already.';
  END IF;
  IF created.tenant IS NULL THEN
    created.tenant := greatest(1, (SELECT max(t.tenant) FROM tenant_records t),
      (SELECT max(t.tenant) FROM tenants t)) + 1;
  END IF;
  INSERT INTO tenant_records SELECT created.*;
  RETURN created.tenant;
END $$;

ALTER FUNCTION create_tenant(json) SECURITY DEFINER;
ALTER FUNCTION create_tenant(json) SET search_path = catalog, pg_temp;
ALTER FUNCTION create_tenant(json) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION create_tenant(json) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION create_tenant(json) TO catalog_program;


CREATE TABLE admin_grants (
  tenant int NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  granted_at timestamptz(3) NOT NULL,
  granted_by text NOT NULL,
  PRIMARY KEY (tenant, user_id)
);

ALTER TABLE admin_grants ENABLE ROW LEVEL SECURITY;
ALTER TABLE admin_grants FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON admin_grants TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON admin_grants TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON admin_grants TO catalog_program, catalog_keeper;


-- Also not empty: a store that has admins, or tenants beside the one that every start makes.
CREATE OR REPLACE FUNCTION store_is_empty() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT NOT EXISTS (SELECT 1 FROM layer_numbers) AND NOT EXISTS (SELECT 1 FROM admin_grants)
    AND NOT EXISTS (SELECT 1 FROM tenant_records WHERE tenant <> 1) $$;

ALTER FUNCTION store_is_empty() SECURITY DEFINER;
ALTER FUNCTION store_is_empty() SET search_path = catalog, pg_temp;
ALTER FUNCTION store_is_empty() OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION store_is_empty() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION store_is_empty() TO catalog_program;


-- When the bucket of a tenant and kind is full again: all that has to be known of it (the generic cell
-- rate algorithm). It is not logged: a server that crashed, or a standby that takes over, begins with
-- full buckets, and a lease waits for no disk and no standby.
CREATE UNLOGGED TABLE quota_leases (
  tenant int NOT NULL,
  kind text NOT NULL,
  full_at timestamptz NOT NULL,
  PRIMARY KEY (tenant, kind)
) WITH (fillfactor = 50);

ALTER TABLE quota_leases ENABLE ROW LEVEL SECURITY;
ALTER TABLE quota_leases FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON quota_leases TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON quota_leases TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON quota_leases TO catalog_program, catalog_keeper;


-- Takes up to so many tokens, whole ones, from a bucket that fills by `rate` a second and holds
-- `burst`. The clock is looked at when the row is locked, so the processes that lease agree on it.
CREATE FUNCTION lease_quota(of_tenant int, of_kind text, rate float8, burst float8, wanted float8)
  RETURNS TABLE (tokens float8, retry_after_ms float8) LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz;
  due timestamptz;
  missing float8;
BEGIN
  LOOP
    SELECT full_at INTO due FROM quota_leases WHERE tenant = of_tenant AND kind = of_kind FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO quota_leases VALUES (of_tenant, of_kind, '-infinity') ON CONFLICT DO NOTHING;
  END LOOP;
  moment := clock_timestamp();
  -- No bucket is more than empty, also where the rate has changed or the clock was set back.
  due := least(greatest(due, moment), moment + make_interval(secs => burst / rate));
  missing := extract(epoch FROM due - moment) * rate;
  tokens := greatest(0, least(wanted, floor(burst - missing)));
  retry_after_ms := CASE WHEN tokens > 0 THEN 0 ELSE ceil((1 - burst + missing) / rate * 1000) END;
  UPDATE quota_leases SET full_at = due + make_interval(secs => tokens / rate)
    WHERE tenant = of_tenant AND kind = of_kind;
  RETURN NEXT;
END $$;
REVOKE ALL ON FUNCTION lease_quota(int, text, float8, float8, float8) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lease_quota(int, text, float8, float8, float8) TO catalog_program;

-- A number only, for metrics. Sequences have no gaps, so that nothing is counted row by row.
CREATE FUNCTION count_events() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(event_sequence - oldest + 1), 0)::bigint
  FROM tenants t, LATERAL (SELECT min(sequence) AS oldest FROM outbox WHERE tenant = t.tenant) o $$;

ALTER FUNCTION count_events() SECURITY DEFINER;
ALTER FUNCTION count_events() SET search_path = catalog, pg_temp;
ALTER FUNCTION count_events() OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION count_events() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_events() TO catalog_program;


-- As before, but for the jobs of tenants that are not active: these wait.
CREATE OR REPLACE FUNCTION claim_job(claimer text, now timestamptz, until timestamptz, nothing_done json)
  RETURNS TABLE (tenant int, job text, fence int) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  LOOP
    BEGIN
      RETURN QUERY
        WITH next AS MATERIALIZED (
          SELECT j.tenant, j.job FROM jobs j
          WHERE (j.state = 'running' AND j.lease_until <= claim_job.now
            OR j.state = 'queued' AND NOT EXISTS (
              SELECT 1 FROM jobs r
              WHERE r.tenant = j.tenant AND r.layer_id = j.layer_id AND r.state = 'running'))
            AND NOT EXISTS (
              SELECT 1 FROM tenant_records t WHERE t.tenant = j.tenant AND NOT t.active)
          ORDER BY j.position LIMIT 1 FOR UPDATE OF j SKIP LOCKED)
        UPDATE jobs c SET state = 'running', worker = claimer, started_at = claim_job.now,
          lease_until = until, progress = nothing_done, attempts = c.attempts + 1, fence = c.fence + 1
        FROM next WHERE c.tenant = next.tenant AND c.job = next.job
        RETURNING c.tenant, c.job, c.fence;
      RETURN;
    EXCEPTION WHEN unique_violation THEN
      NULL; -- Another job of the layer was claimed meanwhile; now that is seen.
    END;
  END LOOP;
END $$;

ALTER FUNCTION claim_job(text, timestamptz, timestamptz, json) SECURITY DEFINER;
ALTER FUNCTION claim_job(text, timestamptz, timestamptz, json) SET search_path = catalog, pg_temp;
ALTER FUNCTION claim_job(text, timestamptz, timestamptz, json) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION claim_job(text, timestamptz, timestamptz, json) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION claim_job(text, timestamptz, timestamptz, json) TO catalog_program;

CREATE OR REPLACE FUNCTION job_depth()
  RETURNS TABLE (queued bigint, running bigint, oldest_created_at timestamptz) LANGUAGE sql STABLE AS $$
  SELECT count(*) FILTER (WHERE state = 'queued'), count(*) FILTER (WHERE state = 'running'),
    min(created_at) FILTER (WHERE state = 'queued')
  FROM jobs j WHERE state IN ('queued', 'running') AND NOT EXISTS (
    SELECT 1 FROM tenant_records t WHERE t.tenant = j.tenant AND NOT t.active) $$;

ALTER FUNCTION job_depth() SECURITY DEFINER;
ALTER FUNCTION job_depth() SET search_path = catalog, pg_temp;
ALTER FUNCTION job_depth() OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION job_depth() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION job_depth() TO catalog_program;

