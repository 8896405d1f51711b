
-- The git commit a version was read from; null for a folder, and for versions of releases before.
ALTER TABLE versions ADD COLUMN source_commit TEXT;

-- The heads of a layer, the last ingested first.
CREATE INDEX heads_recent ON heads (tenant, layer, ingested_at, id);
