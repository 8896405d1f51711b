
-- Class and owner of a layer that was purged; null while there is a layer, and if they are unknown.
ALTER TABLE layer_numbers ADD COLUMN holder text;

-- Which parents `extends` accepts; null leaves it to the deployment.
ALTER TABLE tenant_records ADD COLUMN extends_parents text;

-- The copy of its git repository.
ALTER TABLE layer_numbers ADD COLUMN copy_bytes bigint NOT NULL DEFAULT 0;
CREATE FUNCTION count_copy() RETURNS trigger LANGUAGE plpgsql
  SET search_path = catalog, pg_temp AS $$
BEGIN
  INSERT INTO tenant_usage AS u (tenant, storage_bytes)
    VALUES (NEW.tenant, NEW.copy_bytes - OLD.copy_bytes)
    ON CONFLICT (tenant) DO UPDATE SET storage_bytes = u.storage_bytes + excluded.storage_bytes;
  RETURN NULL;
END $$;
CREATE TRIGGER usage_copy AFTER UPDATE OF copy_bytes ON layer_numbers
  FOR EACH ROW WHEN (NEW.copy_bytes <> OLD.copy_bytes) EXECUTE FUNCTION count_copy();
-- A layer that is unregistered has no copy.
CREATE FUNCTION count_copy_removed() RETURNS trigger LANGUAGE plpgsql
  SET search_path = catalog, pg_temp AS $$
BEGIN
  UPDATE layer_numbers SET copy_bytes = 0
    WHERE tenant = NEW.tenant AND number = NEW.number AND copy_bytes <> 0;
  RETURN NULL;
END $$;
CREATE TRIGGER usage_copy_removed AFTER INSERT ON layers
  FOR EACH ROW WHEN (NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION count_copy_removed();

-- As claim_job, but for jobs of personal layers whose owner has `owner_lanes` jobs running, and jobs of
-- tenants that have `tenant_lanes` running with this worker. Workers that claim in the same moment do not
-- see each other's claims, so that an owner may have one more for each of them.
CREATE FUNCTION claim_job_in_lanes(
  claimer text, now timestamptz, until timestamptz, nothing_done json, owner_lanes int, tenant_lanes int
) RETURNS TABLE (tenant int, job text, fence int) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  LOOP
    BEGIN
      RETURN QUERY
        WITH running AS MATERIALIZED (
          SELECT r.tenant, r.layer_id, r.worker FROM jobs r
          WHERE r.state = 'running' AND r.lease_until > claim_job_in_lanes.now
        ), busy_tenants AS MATERIALIZED (
          SELECT r.tenant FROM running r WHERE r.worker = claimer
          GROUP BY r.tenant HAVING count(*) >= tenant_lanes
        ), busy_owners AS MATERIALIZED (
          SELECT r.tenant, l.owner FROM running r
          JOIN layer_numbers n ON n.tenant = r.tenant AND n.id = r.layer_id
          JOIN layers l ON l.tenant = n.tenant AND l.number = n.number AND l.user_defined
          GROUP BY r.tenant, l.owner HAVING count(*) >= owner_lanes
        ), next AS MATERIALIZED (
          SELECT j.tenant, j.job FROM jobs j
          WHERE (j.state = 'running' AND j.lease_until <= claim_job_in_lanes.now
            OR j.state = 'queued' AND NOT EXISTS (
              SELECT 1 FROM jobs r
              WHERE r.tenant = j.tenant AND r.layer_id = j.layer_id AND r.state = 'running'))
            AND NOT EXISTS (
              SELECT 1 FROM tenant_records t WHERE t.tenant = j.tenant AND NOT t.active)
            AND NOT EXISTS (SELECT 1 FROM busy_tenants b WHERE b.tenant = j.tenant)
            AND NOT EXISTS (
              SELECT 1 FROM busy_owners b
              JOIN layer_numbers n ON n.tenant = b.tenant AND n.id = j.layer_id
              JOIN layers l ON l.tenant = n.tenant AND l.number = n.number AND l.user_defined
                AND l.owner = b.owner
              WHERE b.tenant = j.tenant)
          ORDER BY j.position LIMIT 1 FOR UPDATE OF j SKIP LOCKED)
        UPDATE jobs c SET state = 'running', worker = claimer, started_at = claim_job_in_lanes.now,
          lease_until = until, progress = nothing_done, attempts = c.attempts + 1, fence = c.fence + 1
        FROM next WHERE c.tenant = next.tenant AND c.job = next.job
        RETURNING c.tenant, c.job, c.fence;
      RETURN;
    EXCEPTION WHEN unique_violation THEN
      NULL; -- Another job of the layer was claimed meanwhile; now that is seen.
    END;
  END LOOP;
END $$;

ALTER FUNCTION claim_job_in_lanes(text, timestamptz, timestamptz, json, int, int) SECURITY DEFINER;
ALTER FUNCTION claim_job_in_lanes(text, timestamptz, timestamptz, json, int, int) SET search_path = catalog, pg_temp;
ALTER FUNCTION claim_job_in_lanes(text, timestamptz, timestamptz, json, int, int) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION claim_job_in_lanes(text, timestamptz, timestamptz, json, int, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION claim_job_in_lanes(text, timestamptz, timestamptz, json, int, int) TO catalog_program;

