
CREATE TABLE vector_models (
  model INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL
) STRICT;

-- The vectors of one layer's documents of one model lie on a shelf.
CREATE TABLE vector_shelves (
  shelf INTEGER PRIMARY KEY AUTOINCREMENT,
  model INTEGER NOT NULL,
  tenant INTEGER NOT NULL,
  layer INTEGER NOT NULL,
  UNIQUE (tenant, layer, model)
) STRICT;

-- One number finds a vector: its shelf in the upper bits, the document's number in the lower ones.
CREATE TABLE vectors (
  place INTEGER PRIMARY KEY,
  vector BLOB NOT NULL
) STRICT;

CREATE TABLE domain_vectors (
  tenant INTEGER NOT NULL,
  layer INTEGER NOT NULL,
  model INTEGER NOT NULL,
  path TEXT NOT NULL,
  vector BLOB NOT NULL,
  PRIMARY KEY (tenant, layer, model, path)
) STRICT;

CREATE TABLE embedding_models (
  model INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL,
  external INTEGER NOT NULL,
  ready INTEGER NOT NULL,
  wanted_at TEXT NOT NULL
) STRICT;

-- The last stamp given: what is put, removed and put again never gets an old one.
CREATE TABLE embedding_stamps (
  only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
  last INTEGER NOT NULL
) STRICT;
INSERT INTO embedding_stamps VALUES (1, 0);

-- Who is making a vector is known to the process alone.
CREATE TABLE embedding_waiting (
  model INTEGER NOT NULL,
  tenant INTEGER NOT NULL,
  layer INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  stamp INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  removed INTEGER NOT NULL DEFAULT 0,
  not_before TEXT NOT NULL DEFAULT '',
  since TEXT NOT NULL,
  reason TEXT,
  run TEXT,
  PRIMARY KEY (model, tenant, layer, kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX embedding_waiting_turn ON embedding_waiting (model, not_before, stamp);
CREATE INDEX embedding_waiting_run ON embedding_waiting (tenant, run, attempts)
  WHERE run IS NOT NULL;

CREATE TABLE embedding_runs (
  tenant INTEGER NOT NULL,
  run TEXT NOT NULL,
  model INTEGER NOT NULL,
  total INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (tenant, run)
) STRICT, WITHOUT ROWID;
