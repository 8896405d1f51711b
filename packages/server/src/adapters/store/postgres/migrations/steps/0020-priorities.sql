
-- As claim_job_in_lanes, by priority: pushes and edits, then what users request, then what the registry
-- requests by itself. Of equal jobs, one of the tenant that uses the fewest lanes of the worker comes
-- first, then the oldest.
CREATE FUNCTION claim_next_job(
  claimer text, now timestamptz, until timestamptz, nothing_done json, owner_lanes int, tenant_lanes int
) RETURNS TABLE (tenant int, job text, fence int) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  LOOP
    BEGIN
      RETURN QUERY
        WITH running AS MATERIALIZED (
          SELECT r.tenant, r.layer_id, r.worker FROM jobs r
          WHERE r.state = 'running' AND r.lease_until > claim_next_job.now
        ), used_lanes AS MATERIALIZED (
          SELECT r.tenant, count(*) AS lanes FROM running r WHERE r.worker = claimer GROUP BY r.tenant
        ), busy_owners AS MATERIALIZED (
          SELECT r.tenant, l.owner FROM running r
          JOIN layer_numbers n ON n.tenant = r.tenant AND n.id = r.layer_id
          JOIN layers l ON l.tenant = n.tenant AND l.number = n.number AND l.user_defined
          GROUP BY r.tenant, l.owner HAVING count(*) >= owner_lanes
        ), next AS MATERIALIZED (
          SELECT j.tenant, j.job FROM jobs j
          WHERE (j.state = 'running' AND j.lease_until <= claim_next_job.now
            OR j.state = 'queued' AND NOT EXISTS (
              SELECT 1 FROM jobs r
              WHERE r.tenant = j.tenant AND r.layer_id = j.layer_id AND r.state = 'running'))
            AND NOT EXISTS (
              SELECT 1 FROM tenant_records t WHERE t.tenant = j.tenant AND NOT t.active)
            AND NOT EXISTS (
              SELECT 1 FROM used_lanes u WHERE u.tenant = j.tenant AND u.lanes >= tenant_lanes)
            AND NOT EXISTS (
              SELECT 1 FROM busy_owners b
              JOIN layer_numbers n ON n.tenant = b.tenant AND n.id = j.layer_id
              JOIN layers l ON l.tenant = n.tenant AND l.number = n.number AND l.user_defined
                AND l.owner = b.owner
              WHERE b.tenant = j.tenant)
          ORDER BY
            CASE WHEN j.request->>'trigger' IN ('webhook', 'files') THEN 0
              WHEN j.request->>'trigger' IN ('poll', 'start') THEN 2 ELSE 1 END,
            coalesce((SELECT u.lanes FROM used_lanes u WHERE u.tenant = j.tenant), 0),
            j.position
          LIMIT 1 FOR UPDATE OF j SKIP LOCKED)
        UPDATE jobs c SET state = 'running', worker = claimer, started_at = claim_next_job.now,
          lease_until = until, progress = nothing_done, attempts = c.attempts + 1, fence = c.fence + 1
        FROM next WHERE c.tenant = next.tenant AND c.job = next.job
        RETURNING c.tenant, c.job, c.fence;
      RETURN;
    EXCEPTION WHEN unique_violation THEN
      NULL; -- Another job of the layer was claimed meanwhile; now that is seen.
    END;
  END LOOP;
END $$;

ALTER FUNCTION claim_next_job(text, timestamptz, timestamptz, json, int, int) SECURITY DEFINER;
ALTER FUNCTION claim_next_job(text, timestamptz, timestamptz, json, int, int) SET search_path = catalog, pg_temp;
ALTER FUNCTION claim_next_job(text, timestamptz, timestamptz, json, int, int) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION claim_next_job(text, timestamptz, timestamptz, json, int, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION claim_next_job(text, timestamptz, timestamptz, json, int, int) TO catalog_program;
