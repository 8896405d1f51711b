-- Failed jobs by time, so that a search for ingests to retry reads no other ones.
CREATE INDEX jobs_failed ON jobs (finished_at) WHERE state = 'failed';

-- Tenants only: each then reads its own jobs.
CREATE FUNCTION failed_tenants(since timestamptz) RETURNS TABLE (tenant int) LANGUAGE sql STABLE AS $$
  SELECT DISTINCT j.tenant FROM jobs j WHERE j.state = 'failed' AND j.finished_at > since
    AND NOT EXISTS (SELECT 1 FROM tenant_records t WHERE t.tenant = j.tenant AND NOT t.active)
  ORDER BY j.tenant $$;

ALTER FUNCTION failed_tenants(timestamptz) SECURITY DEFINER;
ALTER FUNCTION failed_tenants(timestamptz) SET search_path = catalog, pg_temp;
ALTER FUNCTION failed_tenants(timestamptz) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION failed_tenants(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION failed_tenants(timestamptz) TO catalog_program;
