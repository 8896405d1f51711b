
-- The identity of this file, which its object store also holds (ADR-0068); a row once a registry was
-- started.
CREATE TABLE store_identity (
  only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
  identity TEXT NOT NULL,
  -- The identity that the object store holds; NULL until this file has claimed one.
  object_store_identity TEXT
) STRICT;
