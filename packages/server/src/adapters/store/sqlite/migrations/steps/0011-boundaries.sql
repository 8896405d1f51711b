
-- Class and owner of a layer that was purged; null while there is a layer, and if they are unknown.
ALTER TABLE layer_numbers ADD COLUMN holder TEXT;

-- Which parents `extends` accepts; null leaves it to the deployment.
ALTER TABLE tenant_records ADD COLUMN extends_parents TEXT;

-- The copy of its git repository.
ALTER TABLE layer_numbers ADD COLUMN copy_bytes INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER usage_copy AFTER UPDATE OF copy_bytes ON layer_numbers BEGIN
  INSERT INTO tenant_usage (tenant, storage_bytes) VALUES (NEW.tenant, NEW.copy_bytes - OLD.copy_bytes)
    ON CONFLICT (tenant) DO UPDATE SET storage_bytes = storage_bytes + excluded.storage_bytes;
END;
-- A layer that is unregistered has no copy.
CREATE TRIGGER usage_copy_removed AFTER INSERT ON layers WHEN NEW.deleted_at IS NOT NULL BEGIN
  UPDATE layer_numbers SET copy_bytes = 0
    WHERE tenant = NEW.tenant AND number = NEW.number AND copy_bytes <> 0;
END;
