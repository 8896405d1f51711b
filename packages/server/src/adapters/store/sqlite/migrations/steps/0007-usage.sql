
CREATE TABLE tenant_usage (
  tenant INTEGER PRIMARY KEY,
  -- Of every version that is stored, with all its files, shared or not.
  storage_bytes INTEGER NOT NULL DEFAULT 0,
  -- Heads of the live layers.
  artifact_count INTEGER NOT NULL DEFAULT 0,
  -- Records of the last day that has any.
  audit_day TEXT NOT NULL DEFAULT '',
  audit_count INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TRIGGER usage_version_added AFTER INSERT ON versions BEGIN
  INSERT INTO tenant_usage (tenant, storage_bytes) VALUES (NEW.tenant, coalesce(octet_length(NEW.manifest), 0) + coalesce(octet_length(NEW.skill), 0) +
    (SELECT coalesce(sum(value ->> 'size'), 0) FROM json_each(NEW.files)))
    ON CONFLICT (tenant) DO UPDATE SET storage_bytes = storage_bytes + excluded.storage_bytes;
END;
CREATE TRIGGER usage_version_removed AFTER DELETE ON versions BEGIN
  UPDATE tenant_usage SET storage_bytes = storage_bytes - (coalesce(octet_length(OLD.manifest), 0) + coalesce(octet_length(OLD.skill), 0) +
    (SELECT coalesce(sum(value ->> 'size'), 0) FROM json_each(OLD.files)))
    WHERE tenant = OLD.tenant;
END;

-- Heads come and go in a layer that lives.
CREATE TRIGGER usage_heads_added AFTER INSERT ON head_counts
  WHEN EXISTS (SELECT 1 FROM layers
    WHERE tenant = NEW.tenant AND number = NEW.layer AND deleted_at IS NULL) BEGIN
  INSERT INTO tenant_usage (tenant, artifact_count) VALUES (NEW.tenant, NEW.heads)
    ON CONFLICT (tenant) DO UPDATE SET artifact_count = artifact_count + excluded.artifact_count;
END;
CREATE TRIGGER usage_heads_changed AFTER UPDATE OF heads ON head_counts
  WHEN EXISTS (SELECT 1 FROM layers
    WHERE tenant = NEW.tenant AND number = NEW.layer AND deleted_at IS NULL) BEGIN
  UPDATE tenant_usage SET artifact_count = artifact_count + NEW.heads - OLD.heads
    WHERE tenant = NEW.tenant;
END;

-- A layer comes to live, or ceases to, with the heads it has. One that is replaced does both.
CREATE TRIGGER usage_layer_added AFTER INSERT ON layers WHEN NEW.deleted_at IS NULL BEGIN
  INSERT INTO tenant_usage (tenant, artifact_count) VALUES (NEW.tenant,
      (SELECT coalesce(sum(heads), 0) FROM head_counts
        WHERE tenant = NEW.tenant AND layer = NEW.number))
    ON CONFLICT (tenant) DO UPDATE SET artifact_count = artifact_count + excluded.artifact_count;
END;
CREATE TRIGGER usage_layer_removed AFTER DELETE ON layers WHEN OLD.deleted_at IS NULL BEGIN
  UPDATE tenant_usage SET artifact_count = artifact_count -
      (SELECT coalesce(sum(heads), 0) FROM head_counts
        WHERE tenant = OLD.tenant AND layer = OLD.number)
    WHERE tenant = OLD.tenant;
END;

-- A record counts on the day it is about; one that comes late, on the day that has begun.
CREATE TRIGGER usage_audit AFTER INSERT ON audit BEGIN
  INSERT INTO tenant_usage (tenant, audit_day, audit_count)
    VALUES (NEW.tenant, substr(NEW.record ->> 'timestamp', 1, 10), 1)
    ON CONFLICT (tenant) DO UPDATE SET
      audit_count = 1 + CASE WHEN audit_day < excluded.audit_day THEN 0 ELSE audit_count END,
      audit_day = max(audit_day, excluded.audit_day);
END;

-- What is there already.
INSERT INTO tenant_usage (tenant, storage_bytes)
  SELECT tenant, sum(coalesce(octet_length(versions.manifest), 0) + coalesce(octet_length(versions.skill), 0) +
    (SELECT coalesce(sum(value ->> 'size'), 0) FROM json_each(versions.files))) FROM versions GROUP BY tenant;
INSERT INTO tenant_usage (tenant, artifact_count)
  SELECT c.tenant, sum(c.heads) FROM head_counts c
  JOIN layers l ON l.tenant = c.tenant AND l.number = c.layer AND l.deleted_at IS NULL
  WHERE true GROUP BY c.tenant
  ON CONFLICT (tenant) DO UPDATE SET artifact_count = excluded.artifact_count;
INSERT INTO tenant_usage (tenant, audit_day, audit_count)
  SELECT tenant, day, count(*) FROM (
    SELECT tenant, substr(record ->> 'timestamp', 1, 10) AS day,
      max(substr(record ->> 'timestamp', 1, 10)) OVER (PARTITION BY tenant) AS last
    FROM audit)
  WHERE day = last GROUP BY tenant, day
  ON CONFLICT (tenant) DO UPDATE SET
    audit_day = excluded.audit_day, audit_count = excluded.audit_count;
