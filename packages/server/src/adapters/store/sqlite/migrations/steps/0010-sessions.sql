
DROP TABLE sessions;
CREATE TABLE sessions (
  tenant INTEGER NOT NULL,
  subject TEXT NOT NULL,
  session_id TEXT NOT NULL,
  id TEXT NOT NULL,
  layer INTEGER NOT NULL,
  version TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  -- Rises with every choice of a session without a subject; null for all others.
  anonymous_number INTEGER,
  PRIMARY KEY (tenant, subject, session_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_expiry ON sessions (expires_at);
CREATE INDEX sessions_anonymous ON sessions (tenant, anonymous_number)
  WHERE anonymous_number IS NOT NULL;
