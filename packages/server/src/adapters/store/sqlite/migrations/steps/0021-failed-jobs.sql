-- Failed jobs by time, so that a search for ingests to retry reads no other ones.
CREATE INDEX jobs_failed ON jobs (finished_at) WHERE state = 'failed';
