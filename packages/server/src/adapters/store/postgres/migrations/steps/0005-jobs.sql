
CREATE TABLE jobs (
  tenant int NOT NULL,
  job text COLLATE "C" NOT NULL,
  -- The order in which they came.
  position bigint GENERATED ALWAYS AS IDENTITY,
  layer_id text COLLATE "C" NOT NULL,
  state text NOT NULL,
  request json NOT NULL,
  progress json NOT NULL,
  attempts int NOT NULL DEFAULT 0,
  -- How often it was claimed; who holds it proves that by this number.
  fence int NOT NULL DEFAULT 0,
  worker text,
  lease_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  report json,
  error json,
  PRIMARY KEY (tenant, job)
);
CREATE INDEX jobs_tenant ON jobs (tenant, position);
CREATE INDEX jobs_layer ON jobs (tenant, layer_id, position);
CREATE INDEX jobs_open ON jobs (position) WHERE state IN ('queued', 'running');
CREATE UNIQUE INDEX jobs_running ON jobs (tenant, layer_id) WHERE state = 'running';
-- Of those that come for a layer at once, one is put in the queue and the others join it. One that was
-- claimed before and put back waits beside it.
CREATE UNIQUE INDEX jobs_waiting ON jobs (tenant, layer_id) WHERE state = 'queued' AND fence = 0;

ALTER TABLE jobs ENABLE ROW LEVEL SECURITY;
ALTER TABLE jobs FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON jobs TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON jobs TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON jobs TO catalog_program, catalog_keeper;


-- The oldest job of any tenant that may run: nothing of its layer is running, or it is running itself
-- and was given up. One that is being written is somebody's, also when its lease has ended.
CREATE FUNCTION claim_job(claimer text, now timestamptz, until timestamptz, nothing_done json)
  RETURNS TABLE (tenant int, job text, fence int) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  LOOP
    BEGIN
      RETURN QUERY
        WITH next AS MATERIALIZED (
          SELECT j.tenant, j.job FROM jobs j
          WHERE j.state = 'running' AND j.lease_until <= claim_job.now
            OR j.state = 'queued' AND NOT EXISTS (
              SELECT 1 FROM jobs r
              WHERE r.tenant = j.tenant AND r.layer_id = j.layer_id AND r.state = 'running')
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


-- Workers are processes, and work for every tenant.
CREATE FUNCTION job_workers() RETURNS TABLE (worker text) LANGUAGE sql STABLE AS
  $$ SELECT DISTINCT worker FROM jobs WHERE state = 'running' $$;

ALTER FUNCTION job_workers() SECURITY DEFINER;
ALTER FUNCTION job_workers() SET search_path = catalog, pg_temp;
ALTER FUNCTION job_workers() OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION job_workers() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION job_workers() TO catalog_program;

CREATE FUNCTION end_leases(gone text) RETURNS void LANGUAGE sql AS
  $$ UPDATE jobs SET lease_until = '-infinity' WHERE state = 'running' AND worker = gone $$;

ALTER FUNCTION end_leases(text) SECURITY DEFINER;
ALTER FUNCTION end_leases(text) SET search_path = catalog, pg_temp;
ALTER FUNCTION end_leases(text) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION end_leases(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION end_leases(text) TO catalog_program;


-- Numbers only, for metrics.
CREATE FUNCTION job_depth()
  RETURNS TABLE (queued bigint, running bigint, oldest_created_at timestamptz) LANGUAGE sql STABLE AS $$
  SELECT count(*) FILTER (WHERE state = 'queued'), count(*) FILTER (WHERE state = 'running'),
    min(created_at) FILTER (WHERE state = 'queued')
  FROM jobs WHERE state IN ('queued', 'running') $$;

ALTER FUNCTION job_depth() SECURITY DEFINER;
ALTER FUNCTION job_depth() SET search_path = catalog, pg_temp;
ALTER FUNCTION job_depth() OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION job_depth() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION job_depth() TO catalog_program;

