
-- What rollbacks changed about versions, which never change themselves.
CREATE TABLE version_standings (
  tenant INTEGER NOT NULL,
  layer INTEGER NOT NULL,
  id TEXT NOT NULL,
  version TEXT NOT NULL,
  ingest_order INTEGER NOT NULL,
  rolled_back INTEGER NOT NULL,
  PRIMARY KEY (tenant, layer, id, version)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER version_standings_removed AFTER DELETE ON versions BEGIN
  DELETE FROM version_standings WHERE tenant = OLD.tenant AND layer = OLD.layer
    AND id = OLD.id AND version = OLD.version;
END;
