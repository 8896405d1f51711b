-- Whether the layer of a job is personal. Jobs of programs of the former release count as shared.
ALTER TABLE jobs ADD COLUMN personal boolean NOT NULL DEFAULT false;
DROP INDEX jobs_next;
CREATE INDEX jobs_next ON jobs (priority, personal, position) WHERE state IN ('queued', 'running');

-- As before, and leaves lanes of the worker to shared layers. Programs of the former release use `claim_job`.
DROP FUNCTION claim_next_job(text, timestamptz, timestamptz, json, int, int);
CREATE FUNCTION claim_next_job(
  claimer text, now timestamptz, until timestamptz, nothing_done json, owner_lanes int, tenant_lanes int,
  personal_lanes int
) RETURNS TABLE (tenant int, job text, fence int) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  -- Tenants that use lanes of the worker, and how many each uses.
  users int[];
  used int[];
  -- Tenants whose jobs wait.
  inactive int[];
  others_wait boolean;
  -- Whether jobs of shared (false) and of personal (true) layers may run.
  classes boolean[];
  lanes int;
BEGIN
  LOOP
    BEGIN
      SELECT coalesce(array_agg(u.tenant), '{}'), coalesce(array_agg(u.lanes), '{}') INTO users, used
        FROM (SELECT r.tenant, count(*)::int AS lanes FROM jobs r
          WHERE r.state = 'running' AND r.lease_until > claim_next_job.now AND r.worker = claimer
          GROUP BY r.tenant) u;
      SELECT coalesce(array_agg(t.tenant), '{}') INTO inactive
        FROM tenant_records t WHERE NOT t.active;
      -- Passes over no job of the users: looks between them.
      SELECT EXISTS (
          SELECT 1 FROM (
            SELECT lag(u.tenant, 1, -1) OVER (ORDER BY u.tenant) AS low, u.tenant AS high
            FROM unnest(users || 2147483647) AS u (tenant)) gap
          WHERE EXISTS (SELECT 1 FROM jobs j WHERE j.state IN ('queued', 'running')
            AND j.tenant > gap.low AND j.tenant < gap.high))
        INTO others_wait;
      SELECT CASE WHEN count(*) < personal_lanes THEN '{false,true}'::boolean[] ELSE '{false}' END
        INTO classes
        FROM jobs r
        WHERE r.state = 'running' AND r.lease_until > claim_next_job.now AND r.worker = claimer
          AND r.personal;
      FOR level IN 0..2 LOOP
        FOR lanes IN SELECT DISTINCT u FROM unnest(used || 0) AS u ORDER BY u LOOP
          EXIT WHEN lanes >= tenant_lanes;
          CONTINUE WHEN lanes = 0 AND NOT others_wait;
          RETURN QUERY
            WITH busy_owners AS MATERIALIZED (
              SELECT r.tenant, l.owner FROM jobs r
              JOIN layer_numbers n ON n.tenant = r.tenant AND n.id = r.layer_id
              JOIN layers l ON l.tenant = n.tenant AND l.number = n.number AND l.user_defined
              WHERE r.state = 'running' AND r.lease_until > claim_next_job.now
              GROUP BY r.tenant, l.owner HAVING count(*) >= owner_lanes
            ), next AS MATERIALIZED (
              SELECT first.tenant, first.job FROM unnest(classes) AS class (personal), LATERAL (
                SELECT j.tenant, j.job, j.position FROM jobs j
                WHERE j.state IN ('queued', 'running') AND j.priority = level
                  AND j.personal = class.personal
                  AND j.tenant <> ALL (inactive)
                  AND CASE WHEN lanes = 0 THEN j.tenant <> ALL (users)
                    ELSE used[array_position(users, j.tenant)] = lanes END
                  AND CASE j.state WHEN 'running' THEN j.lease_until <= claim_next_job.now
                    ELSE NOT EXISTS (
                      SELECT 1 FROM jobs r
                      WHERE r.tenant = j.tenant AND r.layer_id = j.layer_id AND r.state = 'running') END
                  AND NOT EXISTS (
                    SELECT 1 FROM busy_owners b
                    JOIN layer_numbers n ON n.tenant = b.tenant AND n.id = j.layer_id
                    JOIN layers l ON l.tenant = n.tenant AND l.number = n.number AND l.user_defined
                      AND l.owner = b.owner
                    WHERE b.tenant = j.tenant)
                ORDER BY j.position LIMIT 1 FOR UPDATE OF j SKIP LOCKED) first
              ORDER BY first.position LIMIT 1)
            UPDATE jobs c SET state = 'running', worker = claimer, started_at = claim_next_job.now,
              lease_until = until, progress = nothing_done, attempts = c.attempts + 1,
              fence = c.fence + 1
            FROM next WHERE c.tenant = next.tenant AND c.job = next.job
            RETURNING c.tenant, c.job, c.fence;
          IF FOUND THEN RETURN; END IF;
        END LOOP;
      END LOOP;
      RETURN;
    EXCEPTION WHEN unique_violation THEN
      NULL; -- Another job of the layer was claimed meanwhile; now that is seen.
    END;
  END LOOP;
END $$;

ALTER FUNCTION claim_next_job(text, timestamptz, timestamptz, json, int, int, int) SECURITY DEFINER;
ALTER FUNCTION claim_next_job(text, timestamptz, timestamptz, json, int, int, int) SET search_path = catalog, pg_temp;
ALTER FUNCTION claim_next_job(text, timestamptz, timestamptz, json, int, int, int) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION claim_next_job(text, timestamptz, timestamptz, json, int, int, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION claim_next_job(text, timestamptz, timestamptz, json, int, int, int) TO catalog_program;

-- The statistics of a queue are those of another moment.
ALTER FUNCTION claim_next_job(text, timestamptz, timestamptz, json, int, int, int) SET enable_seqscan = off;
ALTER FUNCTION claim_next_job(text, timestamptz, timestamptz, json, int, int, int) SET enable_bitmapscan = off;
ALTER FUNCTION claim_next_job(text, timestamptz, timestamptz, json, int, int, int) SET enable_sort = off;
