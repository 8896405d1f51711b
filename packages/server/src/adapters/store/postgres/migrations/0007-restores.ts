import type { Migration } from './migration.ts';
import { keeperFunction } from './tenant-table.ts';

/**
 * How far a copy into this database is; a row while one is under way. Nobody is served from half a
 * copy. It is about all tenants, so it has no policy.
 */
export const restores: Migration = {
  number: 7,
  name: 'restores',
  oldest_program: 1,
  sql: `
CREATE TABLE restores (
  only_one boolean PRIMARY KEY CHECK (only_one),
  source text NOT NULL,
  done json NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON restores TO catalog_program, catalog_keeper;

-- A yes or no about every tenant: whether a copy may go into this database.
CREATE FUNCTION store_is_empty() RETURNS boolean LANGUAGE sql STABLE AS
  $$ SELECT NOT EXISTS (SELECT 1 FROM layer_numbers) $$;
${keeperFunction('store_is_empty()')}
`,
};
