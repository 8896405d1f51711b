
CREATE TABLE directory_resources (
  tenant INTEGER NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  external_id TEXT,
  active INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  modified_at TEXT NOT NULL,
  version INTEGER NOT NULL,
  attributes TEXT NOT NULL,
  PRIMARY KEY (tenant, kind, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX directory_names ON directory_resources (tenant, kind, name_key);
CREATE INDEX directory_external_ids ON directory_resources (tenant, kind, external_id);

-- A row for each member: a group of any size changes by the rows of those who come and go.
CREATE TABLE directory_members (
  tenant INTEGER NOT NULL,
  group_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  PRIMARY KEY (tenant, group_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX directory_groups_of_user ON directory_members (tenant, user_id, group_id);

-- Names that users had and gave up, by being deleted or renamed: whoever comes with one is nobody.
CREATE TABLE directory_given_up (
  tenant INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (tenant, kind, name)
) STRICT, WITHOUT ROWID;
