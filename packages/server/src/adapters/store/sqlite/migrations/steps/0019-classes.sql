-- Whether the layer of a job is personal. Personal layers leave a lane to the others.
ALTER TABLE jobs ADD COLUMN personal INTEGER NOT NULL DEFAULT 0;
DROP INDEX jobs_next;
CREATE INDEX jobs_next ON jobs (tenant, personal,
  CASE WHEN request->>'trigger' IN ('webhook', 'files') THEN 0
    WHEN request->>'trigger' IN ('poll', 'start') THEN 2 ELSE 1 END,
  position) WHERE state IN ('queued', 'running');
