
-- The priority of a job: 0 for pushes and edits, 1 for what users request, 2 for what the registry
-- requests by itself.
CREATE INDEX jobs_next ON jobs (tenant,
  CASE WHEN request->>'trigger' IN ('webhook', 'files') THEN 0
    WHEN request->>'trigger' IN ('poll', 'start') THEN 2 ELSE 1 END,
  position) WHERE state IN ('queued', 'running');
