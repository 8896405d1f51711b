export const OF_ACTIVE_TENANT = `NOT EXISTS (
  SELECT 1 FROM tenant_records t WHERE t.tenant = j.tenant AND t.active = 0)`;

/** Expression of the index `jobs_next`. */
const PRIORITY = `CASE WHEN j.request->>'trigger' IN ('webhook', 'files') THEN 0
    WHEN j.request->>'trigger' IN ('poll', 'start') THEN 2 ELSE 1 END`;

/**
 * Claims the next job: pushes and edits first, then requests of users, then those of the registry. Among equal jobs,
 * tenants that use the fewest lanes of the worker come first, then the oldest jobs. A queued job is eligible if no job
 * of its layer is running, and a running job if its lease has ended. Its owner, its tenant and the class of its layer
 * must have a free lane. Reads only the first eligible job of each tenant, class and priority, regardless of the length
 * of the queue.
 */
export const CLAIM_JOB = `
  WITH RECURSIVE running AS MATERIALIZED (
    SELECT tenant, layer_id, worker, personal FROM jobs WHERE state = 'running' AND lease_until > $2
  ), used_lanes AS MATERIALIZED (
    SELECT tenant, count(*) AS lanes FROM running WHERE worker = $1 GROUP BY tenant
  ), busy_owners AS MATERIALIZED (
    SELECT r.tenant, l.owner FROM running r
    JOIN layer_numbers n ON n.tenant = r.tenant AND n.id = r.layer_id
    JOIN layers l ON l.tenant = n.tenant AND l.number = n.number AND l.user_defined = 1
    GROUP BY r.tenant, l.owner HAVING count(*) >= $5
  ), tenants (tenant) AS (
    SELECT min(tenant) FROM jobs WHERE state IN ('queued', 'running')
    UNION ALL
    SELECT (SELECT min(tenant) FROM jobs
      WHERE state IN ('queued', 'running') AND tenant > tenants.tenant)
    FROM tenants WHERE tenant IS NOT NULL
  ), classes (personal) AS MATERIALIZED (
    SELECT 0 UNION ALL
    SELECT 1 WHERE (SELECT count(*) FROM running WHERE worker = $1 AND personal = 1) < $7
  ), candidates AS MATERIALIZED (
    SELECT priorities.priority, coalesce(u.lanes, 0) AS lanes, (
      SELECT j.position FROM jobs j
      WHERE j.tenant = tenants.tenant AND j.personal = classes.personal AND ${PRIORITY} = priorities.priority
        AND j.state IN ('queued', 'running')
        AND CASE j.state WHEN 'running' THEN j.lease_until <= $2 ELSE NOT EXISTS (
          SELECT 1 FROM jobs r
          WHERE r.tenant = j.tenant AND r.layer_id = j.layer_id AND r.state = 'running') END
        AND ${OF_ACTIVE_TENANT}
        AND NOT EXISTS (
          SELECT 1 FROM busy_owners b
          JOIN layer_numbers n ON n.tenant = b.tenant AND n.id = j.layer_id
          JOIN layers l ON l.tenant = n.tenant AND l.number = n.number AND l.user_defined = 1
            AND l.owner = b.owner
          WHERE b.tenant = j.tenant)
      ORDER BY j.position LIMIT 1) AS position
    FROM tenants CROSS JOIN classes
    CROSS JOIN (SELECT 0 AS priority UNION ALL SELECT 1 UNION ALL SELECT 2) AS priorities
    LEFT JOIN used_lanes u ON u.tenant = tenants.tenant
    WHERE tenants.tenant IS NOT NULL AND coalesce(u.lanes, 0) < $6
  )
  UPDATE jobs SET state = 'running', worker = $1, started_at = $2, lease_until = $3, progress = $4,
    attempts = attempts + 1, fence = fence + 1
  WHERE position = (
    SELECT position FROM candidates WHERE position IS NOT NULL
    ORDER BY priority, lanes, position LIMIT 1)
  RETURNING tenant, job, fence`;
