import type { Migration } from './migration.ts';
import { keeperFunction, tenantTable } from './tenant-table.ts';

/** Users and groups that a directory pushes, and who is in which group. */
export const directory: Migration = {
  number: 9,
  name: 'directory',
  oldest_program: 1,
  sql: `
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
${tenantTable('directory_resources')}

-- A row for each member: a group of any size changes by the rows of those who come and go.
CREATE TABLE directory_members (
  tenant int NOT NULL,
  group_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, group_id, user_id)
);
CREATE INDEX directory_groups_of_user ON directory_members (tenant, user_id, group_id);
${tenantTable('directory_members')}

-- Names that users had and gave up, by being deleted or renamed: whoever comes with one is nobody.
CREATE TABLE directory_given_up (
  tenant int NOT NULL,
  kind text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, kind, name)
);
${tenantTable('directory_given_up')}

-- Also not empty: a store that a directory has pushed to.
CREATE OR REPLACE FUNCTION store_is_empty() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT NOT EXISTS (SELECT 1 FROM layer_numbers) AND NOT EXISTS (SELECT 1 FROM admin_grants)
    AND NOT EXISTS (SELECT 1 FROM tenant_records WHERE tenant <> 1)
    AND NOT EXISTS (SELECT 1 FROM directory_resources)
    AND NOT EXISTS (SELECT 1 FROM directory_given_up) $$;
${keeperFunction('store_is_empty()')}
`,
};
