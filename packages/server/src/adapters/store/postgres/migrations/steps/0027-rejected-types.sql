-- The type of a rejected artifact; null if unknown, and in rows of programs of the former release.
ALTER TABLE rejections ADD COLUMN type text COLLATE "C";
