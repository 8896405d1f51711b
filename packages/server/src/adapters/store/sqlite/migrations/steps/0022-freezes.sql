-- Stored freeze windows: one period, or a repeating one.
CREATE TABLE freeze_windows (
  tenant INTEGER NOT NULL,
  name TEXT NOT NULL,
  start_at TEXT,
  end_at TEXT,
  starts TEXT,
  ends TEXT,
  time_zone TEXT,
  blocks TEXT NOT NULL,
  PRIMARY KEY (tenant, name)
) STRICT, WITHOUT ROWID;

-- Approvals of admins to ingest a commit in a window, or to weaken an active window.
CREATE TABLE break_glass_approvals (
  tenant INTEGER NOT NULL,
  layer_id TEXT NOT NULL,
  reference TEXT NOT NULL,
  window_name TEXT NOT NULL,
  approver TEXT NOT NULL,
  approved_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  used_by TEXT,
  PRIMARY KEY (tenant, layer_id, reference, window_name, approver)
) STRICT, WITHOUT ROWID;

-- Time of the first ingest that a window blocked; null if no ingest is owed.
ALTER TABLE layers ADD COLUMN frozen_since TEXT;
CREATE INDEX layers_frozen ON layers (tenant) WHERE frozen_since IS NOT NULL;
