-- The type of a rejected artifact; null if unknown.
ALTER TABLE rejections ADD COLUMN type TEXT;
