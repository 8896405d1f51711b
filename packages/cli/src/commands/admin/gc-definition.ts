import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const adminGcDefinition = {
  name: 'admin gc',
  section: 'Administer',
  summary: 'Remove unreferenced files from the object store.',
  description: [
    'Purged layers and failed ingests leave files in the object store. Without --yes, only shows what would be removed.',
    'Uses the same settings as `catalog serve`. On PostgreSQL, runs alongside the server; ingests pause briefly during removal. With SQLite, stop the server first.',
    'Files newer than --min-age are always kept.',
  ],
  arguments: [],
  flags: {
    yes: { type: 'switch', short: 'y', summary: 'Remove the files.' },
    'dry-run': { type: 'switch', short: 'n', summary: 'Show what would be removed; the default.' },
    'min-age': {
      type: 'text',
      placeholder: 'time',
      summary: 'Keep files newer than this; at least 1h.',
      default: '24h',
    },
    config: {
      ...CONFIG_FLAGS.config,
      summary: 'Server configuration file, instead of ~/.catalog/registry.yaml.',
      env: 'CATALOG_CONFIG_FILE',
    },
  },
  exclusive: [['yes', 'dry-run']],
  examples: [
    { command: 'catalog admin gc', summary: 'show what would be removed' },
    {
      command: 'catalog admin gc --yes --min-age 7d',
      summary: 'remove unreferenced files older than a week',
    },
  ],
  long_running: true,
  known_as: { gc: 'admin gc' },
} as const satisfies CommandDefinition;
