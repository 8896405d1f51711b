-- Signatures of the registry over its versions; one without a row is not signed.
CREATE TABLE version_signatures (
  tenant INTEGER NOT NULL,
  layer INTEGER NOT NULL,
  id TEXT NOT NULL,
  version TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  key_id TEXT NOT NULL,
  payload TEXT NOT NULL,
  signature TEXT NOT NULL,
  signed_at TEXT NOT NULL,
  PRIMARY KEY (tenant, layer, id, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX version_signatures_content ON version_signatures (tenant, content_hash);
CREATE TRIGGER version_signatures_removed AFTER DELETE ON versions BEGIN
  DELETE FROM version_signatures WHERE tenant = OLD.tenant AND layer = OLD.layer
    AND id = OLD.id AND version = OLD.version;
END;

-- Published key sets, which belong to the only tenant: they are the same for all.
CREATE TABLE key_sets (
  tenant INTEGER NOT NULL,
  version INTEGER NOT NULL,
  document TEXT NOT NULL,
  signatures TEXT NOT NULL,
  PRIMARY KEY (tenant, version)
) STRICT, WITHOUT ROWID;
