
-- What one layer has at a path: heads on the map in it and below it, DOMAIN.md files at it and below
-- it, and of its own DOMAIN.md what a list of domains needs; without one, the description is null. A
-- row is there while a count is.
CREATE TABLE domains (
  tenant int NOT NULL,
  layer int NOT NULL,
  artifact_count int NOT NULL,
  recursive_count int NOT NULL,
  file_count int NOT NULL,
  unlisted boolean NOT NULL DEFAULT false,
  curated boolean NOT NULL DEFAULT false,
  includes boolean NOT NULL DEFAULT false,
  parent text COLLATE "C" NOT NULL,
  path text COLLATE "C" NOT NULL,
  description text,
  -- Whether something lies directly in it, and below it.
  own boolean GENERATED ALWAYS AS (artifact_count > 0) STORED,
  below boolean GENERATED ALWAYS AS (recursive_count > artifact_count
    OR file_count > (description IS NOT NULL)::int) STORED,
  PRIMARY KEY (tenant, path, layer)
) WITH (fillfactor = 80);
-- What lists of domains and of their members ask of the layers. No count is in the indexes, so that
-- counting writes none of them anew.
CREATE INDEX domains_parent ON domains (tenant, parent, path, layer) INCLUDE (own, below);
CREATE INDEX domains_own ON domains (tenant, path, layer) WHERE own;
CREATE INDEX domains_described ON domains (tenant, path, layer) WHERE description IS NOT NULL;
CREATE INDEX domains_unlisted ON domains (tenant, layer, path) WHERE unlisted;

ALTER TABLE domains ENABLE ROW LEVEL SECURITY;
ALTER TABLE domains FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON domains TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON domains TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON domains TO catalog_program, catalog_keeper;


CREATE TABLE domain_files (
  tenant int NOT NULL,
  layer int NOT NULL,
  path text COLLATE "C" NOT NULL,
  fields json NOT NULL,
  body text NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (tenant, path, layer)
);
CREATE INDEX domain_files_layer ON domain_files (tenant, layer, path);

ALTER TABLE domain_files ENABLE ROW LEVEL SECURITY;
ALTER TABLE domain_files FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON domain_files TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON domain_files TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON domain_files TO catalog_program, catalog_keeper;


-- The heads that are on the map, by the domain they lie in: what the counts were counted from.
CREATE TABLE domain_members (
  tenant int NOT NULL,
  layer int NOT NULL,
  domain text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, layer, domain, id)
);

ALTER TABLE domain_members ENABLE ROW LEVEL SECURITY;
ALTER TABLE domain_members FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON domain_members TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON domain_members TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON domain_members TO catalog_program, catalog_keeper;


-- The ways in which several layers hold one id, each by the hash of its holders: the numbers of the
-- layers in their order, negative where a layer's head is not on the map.
CREATE TABLE domain_sharings (
  tenant int NOT NULL,
  sharing uuid NOT NULL,
  holders int[] NOT NULL,
  PRIMARY KEY (tenant, sharing)
);

ALTER TABLE domain_sharings ENABLE ROW LEVEL SECURITY;
ALTER TABLE domain_sharings FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON domain_sharings TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON domain_sharings TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON domain_sharings TO catalog_program, catalog_keeper;

CREATE TABLE domain_shared_ids (
  tenant int NOT NULL,
  id text COLLATE "C" NOT NULL,
  sharing uuid NOT NULL,
  PRIMARY KEY (tenant, id)
);

ALTER TABLE domain_shared_ids ENABLE ROW LEVEL SECURITY;
ALTER TABLE domain_shared_ids FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON domain_shared_ids TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON domain_shared_ids TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON domain_shared_ids TO catalog_program, catalog_keeper;


-- How many ids of a path are held in each of those ways. Of the holders the one with the lowest number
-- has no row: a view with two of them has another one, and a large base layer needs no row for every
-- personal layer above it. A way shadows where not every holder's head is on the map.
CREATE TABLE domain_overlaps (
  tenant int NOT NULL,
  layer int NOT NULL,
  shadows boolean NOT NULL,
  artifact_count int NOT NULL,
  recursive_count int NOT NULL,
  sharing uuid NOT NULL,
  path text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, path, layer, sharing)
) WITH (fillfactor = 80);
CREATE INDEX domain_overlaps_shadows ON domain_overlaps (tenant, path, layer) WHERE shadows;

ALTER TABLE domain_overlaps ENABLE ROW LEVEL SECURITY;
ALTER TABLE domain_overlaps FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON domain_overlaps TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON domain_overlaps TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON domain_overlaps TO catalog_program, catalog_keeper;


-- The include patterns of DOMAIN.md files, by the path all their matches begin with.
CREATE TABLE domain_globs (
  tenant int NOT NULL,
  layer int NOT NULL,
  prefix text COLLATE "C" NOT NULL,
  path text COLLATE "C" NOT NULL,
  patterns text[] NOT NULL,
  PRIMARY KEY (tenant, prefix, layer, path)
);
CREATE INDEX domain_globs_file ON domain_globs (tenant, layer, path);

ALTER TABLE domain_globs ENABLE ROW LEVEL SECURITY;
ALTER TABLE domain_globs FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON domain_globs TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON domain_globs TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON domain_globs TO catalog_program, catalog_keeper;


-- What a DOMAIN.md of a layer imports: heads on the map of any layer.
CREATE TABLE domain_imports (
  tenant int NOT NULL,
  layer int NOT NULL,
  holder int NOT NULL,
  path text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, path, layer, id, holder)
);
CREATE INDEX domain_imports_id ON domain_imports (tenant, id, holder);

ALTER TABLE domain_imports ENABLE ROW LEVEL SECURITY;
ALTER TABLE domain_imports FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON domain_imports TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON domain_imports TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON domain_imports TO catalog_program, catalog_keeper;


-- What a DOMAIN.md is found by.
CREATE TABLE domain_postings (
  tenant int NOT NULL,
  layer int NOT NULL,
  impact int NOT NULL,
  term text COLLATE "C" NOT NULL,
  path text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, layer, term, path)
);
CREATE INDEX domain_postings_file ON domain_postings (tenant, layer, path);

ALTER TABLE domain_postings ENABLE ROW LEVEL SECURITY;
ALTER TABLE domain_postings FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON domain_postings TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON domain_postings TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON domain_postings TO catalog_program, catalog_keeper;

