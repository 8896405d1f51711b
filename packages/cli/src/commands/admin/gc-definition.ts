import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const adminGcDefinition = {
  name: 'admin gc',
  section: 'Operate',
  summary: 'Remove large files that no version carries any more.',
  description: [
    'Purged layers and ingests that failed leave files in the object store. Without --yes it only says what would go.',
    'It uses the settings `catalog serve` would start with here. On PostgreSQL it runs beside the registry: ingests wait a moment while it removes. A SQLite file has one user at a time: stop the registry first.',
    'Files younger than --min-age always stay.',
  ],
  arguments: [],
  flags: {
    yes: { type: 'switch', short: 'y', summary: 'Remove them.' },
    'dry-run': { type: 'switch', short: 'n', summary: 'Say what would go; the default.' },
    'min-age': {
      type: 'text',
      placeholder: 'time',
      summary: 'Leave files that were stored since; at least 1h.',
      default: '24h',
    },
    config: {
      ...CONFIG_FLAGS.config,
      summary: "The registry's configuration file, instead of ~/.catalog/registry.yaml.",
      env: 'CATALOG_CONFIG_FILE',
    },
  },
  exclusive: [['yes', 'dry-run']],
  examples: [
    { command: 'catalog admin gc', summary: 'what would go' },
    { command: 'catalog admin gc --yes --min-age 7d', summary: 'remove what a week did not need' },
  ],
  long_running: true,
  known_as: { gc: 'admin gc' },
} as const satisfies CommandDefinition;
