-- Reads of artifacts, at most one row per subject, version and minute of a process.
CREATE TABLE audit_reads (
  tenant INTEGER NOT NULL,
  position INTEGER NOT NULL,
  type TEXT NOT NULL,
  minute TEXT NOT NULL,
  subject TEXT NOT NULL,
  caller_kind TEXT NOT NULL,
  salt TEXT NOT NULL,
  -- SHA-256 of salt and subject. An erasure replaces both and keeps this column.
  commitment TEXT NOT NULL,
  artifact TEXT NOT NULL,
  version TEXT NOT NULL,
  layer TEXT NOT NULL,
  name TEXT NOT NULL,
  tags TEXT NOT NULL,
  detail TEXT NOT NULL,
  PRIMARY KEY (tenant, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_reads_artifact ON audit_reads (tenant, artifact, position) WHERE artifact <> '';
CREATE INDEX audit_reads_subject ON audit_reads (tenant, subject, position);

-- Numbers reads in commit order.
CREATE TABLE read_logs (
  tenant INTEGER NOT NULL PRIMARY KEY,
  position INTEGER NOT NULL,
  -- Last position that a fact record covers with a digest.
  sealed INTEGER NOT NULL DEFAULT 0,
  sealed_at TEXT
) STRICT;

-- Processes with reads in memory.
CREATE TABLE read_writers (
  process TEXT NOT NULL PRIMARY KEY,
  last_batch_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Uses of each version per day, without identities.
CREATE TABLE artifact_usage (
  tenant INTEGER NOT NULL,
  layer INTEGER NOT NULL,
  id TEXT NOT NULL,
  version TEXT NOT NULL,
  day TEXT NOT NULL,
  loads INTEGER NOT NULL,
  syncs INTEGER NOT NULL,
  PRIMARY KEY (tenant, layer, id, version, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX artifact_usage_day ON artifact_usage (tenant, day);

-- Uses of each artifact within the last days, for lists; recomputed daily from `artifact_usage`.
CREATE TABLE popular_artifacts (
  tenant INTEGER NOT NULL,
  layer INTEGER NOT NULL,
  id TEXT NOT NULL,
  uses INTEGER NOT NULL,
  PRIMARY KEY (tenant, layer, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX popular_artifacts_uses ON popular_artifacts (tenant, layer, uses, id);
