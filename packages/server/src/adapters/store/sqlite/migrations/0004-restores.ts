import type { Migration } from './migration.ts';

/** How far a copy into this file is; a row while one is under way. Nobody is served from half a copy. */
export const restores: Migration = {
  number: 4,
  name: 'restores',
  sql: `
CREATE TABLE restores (
  only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
  source TEXT NOT NULL,
  done TEXT NOT NULL
) STRICT;
`,
};
