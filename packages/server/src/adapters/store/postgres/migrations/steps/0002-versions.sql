
-- How many heads there are.
ALTER TABLE tenants ADD COLUMN heads bigint NOT NULL DEFAULT 0;
ALTER TABLE layer_numbers ADD COLUMN heads bigint NOT NULL DEFAULT 0;

-- Immutable. Bodies are bytes: text cannot hold every character.
CREATE TABLE versions (
  tenant int NOT NULL,
  layer int NOT NULL,
  id text COLLATE "C" NOT NULL,
  version text COLLATE "C" NOT NULL,
  ingest_order bigint NOT NULL,
  ingested_at timestamptz(3) NOT NULL,
  deprecated boolean NOT NULL,
  content_hash text NOT NULL,
  authored_hash text NOT NULL,
  type text NOT NULL,
  sensitivity text,
  search_visibility text NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  when_to_use text[] NOT NULL,
  tags text[] NOT NULL,
  replaced_by text,
  refusal text,
  extends json,
  files json NOT NULL,
  frontmatter text,
  manifest bytea,
  skill bytea,
  PRIMARY KEY (tenant, layer, id, version)
);

ALTER TABLE versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE versions FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON versions TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON versions TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON versions TO catalog_program, catalog_keeper;


-- Kept for ever, by the id of the layer (decision 7).
CREATE TABLE version_ledger (
  tenant int NOT NULL,
  layer_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  version text COLLATE "C" NOT NULL,
  authored_hash text NOT NULL,
  PRIMARY KEY (tenant, layer_id, id, version)
);

ALTER TABLE version_ledger ENABLE ROW LEVEL SECURITY;
ALTER TABLE version_ledger FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON version_ledger TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON version_ledger TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON version_ledger TO catalog_program, catalog_keeper;


-- Which versions carry which bytes: who may fetch an object, and which blobs a purge leaves unused.
CREATE TABLE version_files (
  tenant int NOT NULL,
  content_hash text COLLATE "C" NOT NULL,
  layer int NOT NULL,
  id text COLLATE "C" NOT NULL,
  version text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, content_hash, layer, id, version)
);

ALTER TABLE version_files ENABLE ROW LEVEL SECURITY;
ALTER TABLE version_files FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON version_files TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON version_files TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON version_files TO catalog_program, catalog_keeper;


CREATE TABLE blobs (
  tenant int NOT NULL,
  content_hash text COLLATE "C" NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (tenant, content_hash)
);

ALTER TABLE blobs ENABLE ROW LEVEL SECURITY;
ALTER TABLE blobs FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON blobs TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON blobs TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON blobs TO catalog_program, catalog_keeper;


-- The current version of an id in a layer. It is not servable where the version was taken and is never
-- shown.
CREATE TABLE heads (
  tenant int NOT NULL,
  layer int NOT NULL,
  deprecated boolean NOT NULL,
  servable boolean NOT NULL,
  ingest_order bigint NOT NULL,
  ingested_at timestamptz(3) NOT NULL,
  id text COLLATE "C" NOT NULL,
  version text NOT NULL,
  type text NOT NULL,
  sensitivity text,
  search_visibility text NOT NULL,
  content_hash text NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  tags text[] NOT NULL,
  PRIMARY KEY (tenant, layer, id)
);
CREATE UNIQUE INDEX heads_id ON heads (tenant, id, layer);

ALTER TABLE heads ENABLE ROW LEVEL SECURITY;
ALTER TABLE heads FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON heads TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON heads TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON heads TO catalog_program, catalog_keeper;


-- What only the few heads of a page show.
CREATE TABLE head_details (
  tenant int NOT NULL,
  layer int NOT NULL,
  id text COLLATE "C" NOT NULL,
  replaced_by text,
  when_to_use text[] NOT NULL,
  frontmatter text,
  PRIMARY KEY (tenant, layer, id)
);

ALTER TABLE head_details ENABLE ROW LEVEL SECURITY;
ALTER TABLE head_details FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON head_details TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON head_details TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON head_details TO catalog_program, catalog_keeper;


-- The mcp-server heads, by the hash of the identifier they declare.
CREATE TABLE server_heads (
  tenant int NOT NULL,
  layer int NOT NULL,
  id text COLLATE "C" NOT NULL,
  identifier_hash text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, layer, id)
);
CREATE INDEX server_heads_identifier ON server_heads (tenant, identifier_hash);

ALTER TABLE server_heads ENABLE ROW LEVEL SECURITY;
ALTER TABLE server_heads FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON server_heads TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON server_heads TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON server_heads TO catalog_program, catalog_keeper;


-- How many heads each layer has.
CREATE TABLE head_counts (
  tenant int NOT NULL,
  layer int NOT NULL,
  type text COLLATE "C" NOT NULL,
  sensitivity text COLLATE "C" NOT NULL,
  heads bigint NOT NULL,
  PRIMARY KEY (tenant, layer, type, sensitivity)
);

ALTER TABLE head_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE head_counts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON head_counts TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON head_counts TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON head_counts TO catalog_program, catalog_keeper;


-- Ids that several layers hold, counted by who holds them as what. It grows with the different ways
-- in which layers overlap, not with the ids that do.
CREATE TABLE head_overlaps (
  tenant int NOT NULL,
  holders_hash text COLLATE "C" NOT NULL,
  ids bigint NOT NULL,
  holders text NOT NULL,
  PRIMARY KEY (tenant, holders_hash)
);

ALTER TABLE head_overlaps ENABLE ROW LEVEL SECURITY;
ALTER TABLE head_overlaps FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON head_overlaps TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON head_overlaps TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON head_overlaps TO catalog_program, catalog_keeper;


-- The layers of each of those ways but the one with the lowest number: a view with two of them has
-- another one, and a large base layer needs no row for every personal layer above it.
CREATE TABLE head_overlap_layers (
  tenant int NOT NULL,
  layer int NOT NULL,
  holders_hash text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, layer, holders_hash)
);

ALTER TABLE head_overlap_layers ENABLE ROW LEVEL SECURITY;
ALTER TABLE head_overlap_layers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON head_overlap_layers TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON head_overlap_layers TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON head_overlap_layers TO catalog_program, catalog_keeper;


CREATE TABLE edges (
  tenant int NOT NULL,
  to_id text COLLATE "C" NOT NULL,
  layer int NOT NULL,
  from_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  to_version text,
  PRIMARY KEY (tenant, to_id, layer, from_id, kind)
);
CREATE INDEX edges_from ON edges (tenant, layer, from_id);

ALTER TABLE edges ENABLE ROW LEVEL SECURITY;
ALTER TABLE edges FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON edges TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON edges TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON edges TO catalog_program, catalog_keeper;


-- What is rejected may be a file with a path of any length.
CREATE TABLE rejections (
  tenant int NOT NULL,
  layer int NOT NULL,
  artifact_hash text COLLATE "C" NOT NULL,
  artifact_id text COLLATE "C" NOT NULL,
  code text NOT NULL,
  reason text NOT NULL,
  awaits text[] NOT NULL,
  PRIMARY KEY (tenant, layer, artifact_hash)
);

ALTER TABLE rejections ENABLE ROW LEVEL SECURITY;
ALTER TABLE rejections FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON rejections TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON rejections TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON rejections TO catalog_program, catalog_keeper;


-- The awaited ids of rejected artifacts.
CREATE TABLE rejection_awaits (
  tenant int NOT NULL,
  awaited text COLLATE "C" NOT NULL,
  layer int NOT NULL,
  artifact_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, awaited, layer, artifact_id)
);
CREATE INDEX rejection_awaits_artifact ON rejection_awaits (tenant, layer, artifact_id);

ALTER TABLE rejection_awaits ENABLE ROW LEVEL SECURITY;
ALTER TABLE rejection_awaits FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON rejection_awaits TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON rejection_awaits TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON rejection_awaits TO catalog_program, catalog_keeper;

