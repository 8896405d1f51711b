-- Reads of artifacts, at most one row per subject, version and minute of a process.
CREATE TABLE audit_reads (
  tenant int NOT NULL,
  position bigint NOT NULL,
  type text NOT NULL,
  minute timestamptz(3) NOT NULL,
  subject text COLLATE "C" NOT NULL,
  caller_kind text NOT NULL,
  salt text NOT NULL,
  -- SHA-256 of salt and subject. An erasure replaces both and keeps this column.
  commitment text NOT NULL,
  artifact text COLLATE "C" NOT NULL,
  version text NOT NULL,
  layer text NOT NULL,
  name text NOT NULL,
  tags json NOT NULL,
  detail text NOT NULL,
  PRIMARY KEY (tenant, position)
);
CREATE INDEX audit_reads_artifact ON audit_reads (tenant, artifact, position) WHERE artifact <> '';
CREATE INDEX audit_reads_subject ON audit_reads (tenant, subject, position);
ALTER TABLE audit_reads ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_reads FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON audit_reads TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON audit_reads TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON audit_reads TO catalog_program, catalog_keeper;

-- Numbers reads in commit order, without the lock of the tenant.
CREATE TABLE read_logs (
  tenant int PRIMARY KEY,
  position bigint NOT NULL,
  -- Last position that a fact record covers with a digest.
  sealed bigint NOT NULL DEFAULT 0,
  sealed_at timestamptz(3)
);
ALTER TABLE read_logs ENABLE ROW LEVEL SECURITY;
ALTER TABLE read_logs FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON read_logs TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON read_logs TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON read_logs TO catalog_program, catalog_keeper;

-- Processes with reads in memory. They serve all tenants, so there is no policy.
CREATE TABLE read_writers (
  process text COLLATE "C" PRIMARY KEY,
  last_batch_at timestamptz(3) NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON read_writers TO catalog_program, catalog_keeper;

-- Uses of each version per day, without identities.
CREATE TABLE artifact_usage (
  tenant int NOT NULL,
  layer int NOT NULL,
  id text COLLATE "C" NOT NULL,
  version text COLLATE "C" NOT NULL,
  day text COLLATE "C" NOT NULL,
  loads bigint NOT NULL,
  syncs bigint NOT NULL,
  PRIMARY KEY (tenant, layer, id, version, day)
) WITH (fillfactor = 70);
CREATE INDEX artifact_usage_day ON artifact_usage (tenant, day);
ALTER TABLE artifact_usage ENABLE ROW LEVEL SECURITY;
ALTER TABLE artifact_usage FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON artifact_usage TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON artifact_usage TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON artifact_usage TO catalog_program, catalog_keeper;

-- Uses of each artifact within the last days, for lists; recomputed daily from `artifact_usage`.
CREATE TABLE popular_artifacts (
  tenant int NOT NULL,
  layer int NOT NULL,
  id text COLLATE "C" NOT NULL,
  uses bigint NOT NULL,
  PRIMARY KEY (tenant, layer, id)
) WITH (fillfactor = 70);
CREATE INDEX popular_artifacts_uses ON popular_artifacts (tenant, layer, uses, id);
ALTER TABLE popular_artifacts ENABLE ROW LEVEL SECURITY;
ALTER TABLE popular_artifacts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON popular_artifacts TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON popular_artifacts TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON popular_artifacts TO catalog_program, catalog_keeper;
