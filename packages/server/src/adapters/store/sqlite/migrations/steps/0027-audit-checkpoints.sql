-- The last signed checkpoint of each tenant. The object store contains all of them.
CREATE TABLE audit_checkpoints (
  tenant INTEGER PRIMARY KEY,
  origin TEXT NOT NULL,
  first INTEGER NOT NULL,
  size INTEGER NOT NULL,
  nodes TEXT NOT NULL,
  position INTEGER NOT NULL,
  number INTEGER NOT NULL,
  note TEXT NOT NULL
) STRICT;
