
CREATE TABLE tenant_records (
  tenant INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL UNIQUE,
  active INTEGER NOT NULL,
  storage_bytes INTEGER NOT NULL,
  search_qps INTEGER NOT NULL,
  materialize_rate INTEGER NOT NULL,
  audit_volume_per_day INTEGER NOT NULL,
  max_user_layers INTEGER NOT NULL,
  -- Null leaves it to the deployment.
  expose_scope_preview INTEGER,
  created_at TEXT NOT NULL
) STRICT;

-- Folders are watched for all tenants at once.
CREATE INDEX layers_folders ON layers (tenant) WHERE source_type = 'local' AND deleted_at IS NULL;

CREATE TABLE admin_grants (
  tenant INTEGER NOT NULL,
  user_id TEXT NOT NULL,
  granted_at TEXT NOT NULL,
  granted_by TEXT NOT NULL,
  PRIMARY KEY (tenant, user_id)
) STRICT, WITHOUT ROWID;
