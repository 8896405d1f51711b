
-- What one layer has at a path: heads on the map in it and below it, DOMAIN.md files at it and below
-- it, and of its own DOMAIN.md what a list of domains needs; without one, the description is null. A
-- row is there while a count is.
CREATE TABLE domains (
  tenant INTEGER NOT NULL,
  layer INTEGER NOT NULL,
  parent TEXT NOT NULL,
  path TEXT NOT NULL,
  artifact_count INTEGER NOT NULL,
  recursive_count INTEGER NOT NULL,
  file_count INTEGER NOT NULL,
  unlisted INTEGER NOT NULL DEFAULT 0,
  curated INTEGER NOT NULL DEFAULT 0,
  includes INTEGER NOT NULL DEFAULT 0,
  description TEXT,
  PRIMARY KEY (tenant, layer, parent, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX domains_path ON domains (tenant, path, layer);
CREATE INDEX domains_unlisted ON domains (tenant, layer, path) WHERE unlisted = 1;

CREATE TABLE domain_files (
  tenant INTEGER NOT NULL,
  path TEXT NOT NULL,
  layer INTEGER NOT NULL,
  fields TEXT NOT NULL,
  body TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (tenant, path, layer)
) STRICT, WITHOUT ROWID;

-- The heads that are on the map, by the domain they lie in: what the counts were counted from.
CREATE TABLE domain_members (
  tenant INTEGER NOT NULL,
  layer INTEGER NOT NULL,
  domain TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (tenant, layer, domain, id)
) STRICT, WITHOUT ROWID;

-- The ways in which several layers hold one id: their numbers, and whether each one's head is on the
-- map, as JSON. Ids held in the same way share a row.
CREATE TABLE domain_sharings (
  sharing INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL,
  holders TEXT NOT NULL,
  ids INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX domain_sharings_holders ON domain_sharings (tenant, holders);
CREATE TABLE domain_shared_ids (
  tenant INTEGER NOT NULL,
  id TEXT NOT NULL,
  sharing INTEGER NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

-- How many ids of a path are held in each of those ways. Of the holders the one with the lowest number
-- has no row: a view with two of them has another one, and a large base layer needs no row for every
-- personal layer above it.
CREATE TABLE domain_overlaps (
  tenant INTEGER NOT NULL,
  path TEXT NOT NULL,
  layer INTEGER NOT NULL,
  sharing INTEGER NOT NULL,
  artifact_count INTEGER NOT NULL,
  recursive_count INTEGER NOT NULL,
  PRIMARY KEY (tenant, path, layer, sharing)
) STRICT, WITHOUT ROWID;

-- The include patterns of DOMAIN.md files, by the path all their matches begin with.
CREATE TABLE domain_globs (
  tenant INTEGER NOT NULL,
  prefix TEXT NOT NULL,
  layer INTEGER NOT NULL,
  path TEXT NOT NULL,
  pattern TEXT NOT NULL,
  PRIMARY KEY (tenant, prefix, layer, path, pattern)
) STRICT, WITHOUT ROWID;
CREATE INDEX domain_globs_file ON domain_globs (tenant, layer, path);

-- What a DOMAIN.md of a layer imports: heads on the map of any layer.
CREATE TABLE domain_imports (
  tenant INTEGER NOT NULL,
  path TEXT NOT NULL,
  layer INTEGER NOT NULL,
  id TEXT NOT NULL,
  holder INTEGER NOT NULL,
  PRIMARY KEY (tenant, path, layer, id, holder)
) STRICT, WITHOUT ROWID;
CREATE INDEX domain_imports_id ON domain_imports (tenant, id, holder);

-- What a DOMAIN.md is found by.
CREATE TABLE domain_postings (
  tenant INTEGER NOT NULL,
  layer INTEGER NOT NULL,
  term TEXT NOT NULL,
  path TEXT NOT NULL,
  impact INTEGER NOT NULL,
  PRIMARY KEY (tenant, layer, term, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX domain_postings_file ON domain_postings (tenant, layer, path);
