-- Versions whose content an administrator removed. Their ledger rows stay.
CREATE TABLE purges (
  tenant INTEGER NOT NULL,
  layer_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  reason TEXT NOT NULL,
  purged_by TEXT NOT NULL,
  purged_at TEXT NOT NULL,
  pending_objects TEXT NOT NULL,
  PRIMARY KEY (tenant, layer_id, id, version)
) STRICT, WITHOUT ROWID;
