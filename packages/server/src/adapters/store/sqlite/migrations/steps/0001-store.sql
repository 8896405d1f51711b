
-- The counters of a tenant. Each is the last value given.
CREATE TABLE tenants (
  tenant INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL DEFAULT 0,
  ingest_order INTEGER NOT NULL DEFAULT 0,
  event_sequence INTEGER NOT NULL DEFAULT 0,
  audit_position INTEGER NOT NULL DEFAULT 0
) STRICT;

-- A layer id gets its number once and keeps it when it is registered again.
CREATE TABLE layer_numbers (
  tenant INTEGER NOT NULL,
  id TEXT NOT NULL,
  number INTEGER NOT NULL,
  revision INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE layers (
  tenant INTEGER NOT NULL,
  number INTEGER NOT NULL,
  id TEXT NOT NULL,
  "order" INTEGER NOT NULL,
  user_defined INTEGER NOT NULL,
  public INTEGER NOT NULL,
  organization INTEGER NOT NULL,
  groups TEXT,
  users TEXT,
  source_type TEXT NOT NULL,
  repo TEXT NOT NULL,
  ref TEXT NOT NULL,
  root TEXT NOT NULL,
  local_path TEXT NOT NULL,
  owner TEXT NOT NULL,
  git_provider TEXT NOT NULL,
  force_push_policy TEXT NOT NULL,
  created_at TEXT NOT NULL,
  deleted_at TEXT,
  last_ingested_at TEXT,
  last_ingested_ref TEXT,
  webhook_secret TEXT NOT NULL,
  webhook_key TEXT NOT NULL,
  source_state TEXT,
  PRIMARY KEY (tenant, number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX layers_webhook_key ON layers (webhook_key) WHERE webhook_key <> '';

-- Immutable.
CREATE TABLE versions (
  vid INTEGER PRIMARY KEY,
  tenant INTEGER NOT NULL,
  layer INTEGER NOT NULL,
  id TEXT NOT NULL,
  version TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  deprecated INTEGER NOT NULL,
  ingest_order INTEGER NOT NULL,
  ingested_at TEXT NOT NULL,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  when_to_use TEXT NOT NULL,
  tags TEXT NOT NULL,
  sensitivity TEXT,
  search_visibility TEXT NOT NULL,
  replaced_by TEXT,
  authored_hash TEXT NOT NULL,
  refusal TEXT,
  extends TEXT,
  files TEXT NOT NULL,
  frontmatter TEXT,
  manifest TEXT,
  skill TEXT
) STRICT;
CREATE UNIQUE INDEX versions_key ON versions (tenant, layer, id, version);

-- Kept for ever, by the id of the layer (decision 7).
CREATE TABLE version_ledger (
  tenant INTEGER NOT NULL,
  layer_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version TEXT NOT NULL,
  authored_hash TEXT NOT NULL,
  PRIMARY KEY (tenant, layer_id, id, version)
) STRICT, WITHOUT ROWID;

-- Which versions carry which bytes: who may fetch an object, and which blobs a purge leaves unused.
CREATE TABLE version_files (
  tenant INTEGER NOT NULL,
  content_hash TEXT NOT NULL,
  vid INTEGER NOT NULL,
  PRIMARY KEY (tenant, content_hash, vid)
) STRICT, WITHOUT ROWID;

CREATE TABLE blobs (
  tenant INTEGER NOT NULL,
  content_hash TEXT NOT NULL,
  bytes BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX blobs_key ON blobs (tenant, content_hash);

-- The current version of an id in a layer, with the columns listings and searches show.
CREATE TABLE heads (
  tenant INTEGER NOT NULL,
  layer INTEGER NOT NULL,
  id TEXT NOT NULL,
  version TEXT NOT NULL,
  type TEXT NOT NULL,
  sensitivity TEXT,
  search_visibility TEXT NOT NULL,
  deprecated INTEGER NOT NULL,
  content_hash TEXT NOT NULL,
  ingest_order INTEGER NOT NULL,
  ingested_at TEXT NOT NULL,
  name TEXT NOT NULL,
  tags TEXT NOT NULL,
  replaced_by TEXT,
  server_identifier TEXT,
  description TEXT NOT NULL,
  when_to_use TEXT NOT NULL,
  frontmatter TEXT
) STRICT;
CREATE UNIQUE INDEX heads_id ON heads (tenant, id, layer);
CREATE UNIQUE INDEX heads_layer ON heads (tenant, layer, id);
CREATE INDEX heads_server ON heads (tenant, server_identifier) WHERE server_identifier IS NOT NULL;

-- How many heads each layer has.
CREATE TABLE head_counts (
  tenant INTEGER NOT NULL,
  layer INTEGER NOT NULL,
  type TEXT NOT NULL,
  sensitivity TEXT NOT NULL,
  heads INTEGER NOT NULL,
  PRIMARY KEY (tenant, layer, type, sensitivity)
) STRICT, WITHOUT ROWID;

-- Ids that several layers hold, counted by who holds them as what. It grows with the different ways
-- in which layers overlap, not with the ids that do.
CREATE TABLE overlaps (
  tenant INTEGER NOT NULL,
  holders TEXT NOT NULL,
  ids INTEGER NOT NULL,
  PRIMARY KEY (tenant, holders)
) STRICT, WITHOUT ROWID;

-- Every head whose id another layer holds too: in a view that shows both, only one of them counts.
CREATE TABLE contested_heads (
  tenant INTEGER NOT NULL,
  id TEXT NOT NULL,
  layer INTEGER NOT NULL,
  PRIMARY KEY (tenant, id, layer)
) STRICT, WITHOUT ROWID;

CREATE TABLE edges (
  tenant INTEGER NOT NULL,
  to_id TEXT NOT NULL,
  layer INTEGER NOT NULL,
  from_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  to_version TEXT,
  PRIMARY KEY (tenant, to_id, layer, from_id, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX edges_from ON edges (tenant, layer, from_id);

CREATE TABLE rejections (
  tenant INTEGER NOT NULL,
  layer INTEGER NOT NULL,
  artifact_id TEXT NOT NULL,
  code TEXT NOT NULL,
  reason TEXT NOT NULL,
  awaits TEXT NOT NULL,
  PRIMARY KEY (tenant, layer, artifact_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE rejection_awaits (
  tenant INTEGER NOT NULL,
  awaited TEXT NOT NULL,
  layer INTEGER NOT NULL,
  artifact_id TEXT NOT NULL,
  PRIMARY KEY (tenant, awaited, layer, artifact_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE jobs (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL,
  job TEXT NOT NULL,
  layer_id TEXT NOT NULL,
  state TEXT NOT NULL,
  request TEXT NOT NULL,
  progress TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  fence INTEGER NOT NULL,
  worker TEXT,
  lease_until TEXT,
  created_at TEXT NOT NULL,
  started_at TEXT,
  finished_at TEXT,
  report TEXT,
  error TEXT
) STRICT;
CREATE UNIQUE INDEX jobs_job ON jobs (tenant, job);
CREATE INDEX jobs_tenant ON jobs (tenant, position);
CREATE INDEX jobs_layer ON jobs (tenant, layer_id, position);
CREATE INDEX jobs_open ON jobs (position) WHERE state IN ('queued', 'running');
CREATE UNIQUE INDEX jobs_running ON jobs (tenant, layer_id) WHERE state = 'running';

CREATE TABLE outbox (
  tenant INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  timestamp TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (tenant, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  tenant INTEGER NOT NULL,
  position INTEGER NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (tenant, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
  tenant INTEGER NOT NULL,
  session_id TEXT NOT NULL,
  id TEXT NOT NULL,
  layer INTEGER NOT NULL,
  version TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (tenant, session_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE deliveries (
  tenant INTEGER NOT NULL,
  layer INTEGER NOT NULL,
  delivery_id TEXT NOT NULL,
  job TEXT NOT NULL,
  received_at TEXT NOT NULL,
  PRIMARY KEY (tenant, layer, delivery_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_age ON deliveries (received_at);
