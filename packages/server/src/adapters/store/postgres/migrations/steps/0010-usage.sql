
CREATE TABLE tenant_usage (
  tenant int PRIMARY KEY,
  -- Of every version that is stored, with all its files, shared or not.
  storage_bytes bigint NOT NULL DEFAULT 0,
  -- Heads of the live layers.
  artifact_count bigint NOT NULL DEFAULT 0,
  -- Records of the last day that has any.
  audit_day date NOT NULL DEFAULT '-infinity',
  audit_count bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

ALTER TABLE tenant_usage ENABLE ROW LEVEL SECURITY;
ALTER TABLE tenant_usage FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON tenant_usage TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON tenant_usage TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON tenant_usage TO catalog_program, catalog_keeper;


CREATE FUNCTION version_bytes(manifest bytea, skill bytea, files json) RETURNS bigint
  LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(octet_length(manifest), 0)::bigint + coalesce(octet_length(skill), 0) + coalesce(
    (SELECT sum((file ->> 'size')::bigint) FROM json_array_elements(files) AS file), 0)::bigint $$;

CREATE FUNCTION count_added_versions() RETURNS trigger LANGUAGE plpgsql
  SET search_path = catalog, pg_temp AS $$
BEGIN
  INSERT INTO tenant_usage AS u (tenant, storage_bytes)
    SELECT tenant, sum(version_bytes(manifest, skill, files)) FROM added GROUP BY tenant
    ON CONFLICT (tenant) DO UPDATE SET storage_bytes = u.storage_bytes + excluded.storage_bytes;
  RETURN NULL;
END $$;
CREATE TRIGGER usage_added AFTER INSERT ON versions REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_added_versions();

CREATE FUNCTION count_removed_versions() RETURNS trigger LANGUAGE plpgsql
  SET search_path = catalog, pg_temp AS $$
BEGIN
  UPDATE tenant_usage u SET storage_bytes = u.storage_bytes - r.bytes
    FROM (SELECT tenant, sum(version_bytes(manifest, skill, files)) AS bytes
          FROM removed GROUP BY tenant) r
    WHERE u.tenant = r.tenant;
  RETURN NULL;
END $$;
CREATE TRIGGER usage_removed AFTER DELETE ON versions REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_removed_versions();

-- Heads come and go in a layer that lives.
CREATE FUNCTION count_heads() RETURNS trigger LANGUAGE plpgsql
  SET search_path = catalog, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM layers
      WHERE tenant = NEW.tenant AND number = NEW.number AND deleted_at IS NULL) THEN
    INSERT INTO tenant_usage AS u (tenant, artifact_count) VALUES (NEW.tenant, NEW.heads - OLD.heads)
      ON CONFLICT (tenant) DO UPDATE SET artifact_count = u.artifact_count + excluded.artifact_count;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER usage_heads AFTER UPDATE OF heads ON layer_numbers
  FOR EACH ROW WHEN (NEW.heads <> OLD.heads) EXECUTE FUNCTION count_heads();

-- A layer comes to live, or ceases to, with the heads it has. One that is replaced does both.
CREATE FUNCTION count_layer_added() RETURNS trigger LANGUAGE plpgsql
  SET search_path = catalog, pg_temp AS $$
BEGIN
  INSERT INTO tenant_usage AS u (tenant, artifact_count)
    SELECT NEW.tenant, heads FROM layer_numbers
    WHERE tenant = NEW.tenant AND number = NEW.number AND heads > 0
    ON CONFLICT (tenant) DO UPDATE SET artifact_count = u.artifact_count + excluded.artifact_count;
  RETURN NULL;
END $$;
CREATE TRIGGER usage_layer_added AFTER INSERT ON layers
  FOR EACH ROW WHEN (NEW.deleted_at IS NULL) EXECUTE FUNCTION count_layer_added();

CREATE FUNCTION count_layer_removed() RETURNS trigger LANGUAGE plpgsql
  SET search_path = catalog, pg_temp AS $$
BEGIN
  UPDATE tenant_usage u SET artifact_count = u.artifact_count - n.heads FROM layer_numbers n
    WHERE u.tenant = OLD.tenant AND n.tenant = OLD.tenant AND n.number = OLD.number AND n.heads > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER usage_layer_removed AFTER DELETE ON layers
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL) EXECUTE FUNCTION count_layer_removed();

-- A record counts on the day it is about; one that comes late, on the day that has begun. The text is
-- searched: JSON can say what text cannot, and then nothing can be taken out of it.
CREATE FUNCTION audit_day(record json) RETURNS date LANGUAGE sql IMMUTABLE AS
  $$ SELECT substring(record::text FROM '"timestamp" *: *"(\d{4}-\d\d-\d\d)T')::date $$;
CREATE FUNCTION count_audit() RETURNS trigger LANGUAGE plpgsql
  SET search_path = catalog, pg_temp AS $$
BEGIN
  INSERT INTO tenant_usage AS u (tenant, audit_day, audit_count)
    VALUES (NEW.tenant, coalesce(audit_day(NEW.record), '-infinity'), 1)
    ON CONFLICT (tenant) DO UPDATE SET
      audit_count = 1 + CASE WHEN u.audit_day < excluded.audit_day THEN 0 ELSE u.audit_count END,
      audit_day = greatest(u.audit_day, excluded.audit_day);
  RETURN NULL;
END $$;
CREATE TRIGGER usage_audit AFTER INSERT ON audit
  FOR EACH ROW EXECUTE FUNCTION count_audit();

-- What is there already.
INSERT INTO tenant_usage (tenant, storage_bytes)
  SELECT tenant, sum(version_bytes(manifest, skill, files)) FROM versions GROUP BY tenant;
INSERT INTO tenant_usage AS u (tenant, artifact_count)
  SELECT n.tenant, sum(n.heads) FROM layer_numbers n
  JOIN layers l ON l.tenant = n.tenant AND l.number = n.number AND l.deleted_at IS NULL
  GROUP BY n.tenant
  ON CONFLICT (tenant) DO UPDATE SET artifact_count = excluded.artifact_count;
INSERT INTO tenant_usage AS u (tenant, audit_day, audit_count)
  SELECT tenant, day, count(*) FROM (
    SELECT tenant, audit_day(record) AS day,
      max(audit_day(record)) OVER (PARTITION BY tenant) AS last
    FROM audit) a
  WHERE day = last GROUP BY tenant, day
  ON CONFLICT (tenant) DO UPDATE SET
    audit_day = excluded.audit_day, audit_count = excluded.audit_count;
