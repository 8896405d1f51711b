
CREATE TABLE directory_resources (
  tenant int NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  name_key text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  active boolean NOT NULL,
  attributes json NOT NULL,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (tenant, kind, id)
);
CREATE UNIQUE INDEX directory_names ON directory_resources (tenant, kind, name_key);
CREATE INDEX directory_external_ids ON directory_resources (tenant, kind, external_id)
  WHERE external_id IS NOT NULL;

ALTER TABLE directory_resources ENABLE ROW LEVEL SECURITY;
ALTER TABLE directory_resources FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON directory_resources TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON directory_resources TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON directory_resources TO catalog_program, catalog_keeper;


-- A row for each member: a group of any size changes by the rows of those who come and go.
CREATE TABLE directory_members (
  tenant int NOT NULL,
  group_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, group_id, user_id)
);
CREATE INDEX directory_groups_of_user ON directory_members (tenant, user_id, group_id);

ALTER TABLE directory_members ENABLE ROW LEVEL SECURITY;
ALTER TABLE directory_members FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON directory_members TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON directory_members TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON directory_members TO catalog_program, catalog_keeper;


-- Names that users had and gave up, by being deleted or renamed: whoever comes with one is nobody.
CREATE TABLE directory_given_up (
  tenant int NOT NULL,
  kind text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, kind, name)
);

ALTER TABLE directory_given_up ENABLE ROW LEVEL SECURITY;
ALTER TABLE directory_given_up FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON directory_given_up TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON directory_given_up TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON directory_given_up TO catalog_program, catalog_keeper;


-- Also not empty: a store that a directory has pushed to.
CREATE OR REPLACE FUNCTION store_is_empty() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT NOT EXISTS (SELECT 1 FROM layer_numbers) AND NOT EXISTS (SELECT 1 FROM admin_grants)
    AND NOT EXISTS (SELECT 1 FROM tenant_records WHERE tenant <> 1)
    AND NOT EXISTS (SELECT 1 FROM directory_resources)
    AND NOT EXISTS (SELECT 1 FROM directory_given_up) $$;

ALTER FUNCTION store_is_empty() SECURITY DEFINER;
ALTER FUNCTION store_is_empty() SET search_path = catalog, pg_temp;
ALTER FUNCTION store_is_empty() OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION store_is_empty() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION store_is_empty() TO catalog_program;

