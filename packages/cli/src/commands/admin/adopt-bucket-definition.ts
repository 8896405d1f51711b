import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const adminAdoptBucketDefinition = {
  name: 'admin adopt-bucket',
  section: 'Administer',
  summary: 'Make the database the owner of its object store.',
  description: [
    'A database and its object store hold the same identity, and a server refuses to start if they differ. Run this command after you restored the database, or moved it or the files to another place. Without --yes, only shows the owner.',
    'The database gets a new identity. Any other database that used the object store can then no longer store or remove files there, so stop its servers first.',
    'Uses the same settings as `catalog serve`. On PostgreSQL, runs alongside the server. With SQLite, stop the server first.',
  ],
  arguments: [],
  flags: {
    yes: { type: 'switch', short: 'y', summary: 'Adopt the object store.' },
    'dry-run': { type: 'switch', short: 'n', summary: 'Show the owner; the default.' },
    config: {
      ...CONFIG_FLAGS.config,
      summary: 'Server configuration file, instead of ~/.catalog/registry.yaml.',
      env: 'CATALOG_CONFIG_FILE',
    },
  },
  exclusive: [['yes', 'dry-run']],
  examples: [
    { command: 'catalog admin adopt-bucket', summary: 'show which database owns the object store' },
    { command: 'catalog admin adopt-bucket --yes', summary: 'adopt it after a restore' },
  ],
} as const satisfies CommandDefinition;
