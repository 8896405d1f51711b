CREATE TABLE receivers (
  tenant INTEGER NOT NULL,
  receiver TEXT NOT NULL,
  url TEXT NOT NULL,
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_secret_until TEXT,
  event_filter TEXT,
  debounce_ms INTEGER,
  disabled_by TEXT,
  created_at TEXT NOT NULL,
  -- Every event up to this one was dispatched or did not match.
  cursor INTEGER NOT NULL,
  window_end TEXT,
  paused_until TEXT,
  failure_count INTEGER NOT NULL,
  failing_since TEXT,
  last_delivery TEXT,
  last_failure TEXT,
  PRIMARY KEY (tenant, receiver)
) STRICT, WITHOUT ROWID;

CREATE TABLE dispatches (
  tenant INTEGER NOT NULL,
  receiver TEXT NOT NULL,
  dispatch TEXT NOT NULL,
  event TEXT NOT NULL,
  cursor INTEGER NOT NULL,
  body TEXT NOT NULL,
  created_at TEXT NOT NULL,
  -- When the next attempt is due, or a claim ends.
  not_before TEXT NOT NULL,
  worker TEXT,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  -- Rises with every claim; who holds the dispatch proves that by this number.
  fence INTEGER NOT NULL,
  last_attempt TEXT,
  status INTEGER,
  duration_ms INTEGER,
  response TEXT,
  error TEXT,
  PRIMARY KEY (tenant, receiver, dispatch)
) STRICT;
CREATE INDEX dispatches_due ON dispatches (tenant, receiver, not_before) WHERE state = 'pending';
CREATE INDEX dispatches_log ON dispatches (tenant, receiver, created_at, dispatch);
CREATE INDEX dispatches_ended ON dispatches (tenant, created_at) WHERE state <> 'pending';
CREATE INDEX dispatches_claimed ON dispatches (worker) WHERE worker IS NOT NULL;
