import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const usageDefinition = {
  name: 'usage',
  section: 'Inspect',
  summary: 'Show how often artifacts are loaded and synced.',
  description: [
    'Without an artifact, lists the most used artifacts of the last 30 days. With one, shows its loads and syncs by version and day. The counts contain no identities, and the list contains only artifacts that you can see.',
  ],
  arguments: [{ name: 'artifact', summary: 'Artifact id.', required: false }],
  flags: {
    registry: CONFIG_FLAGS.registry,
    days: {
      type: 'text',
      placeholder: 'n',
      summary: 'Number of days of one artifact, up to 400.',
      default: '30',
    },
    limit: {
      type: 'text',
      placeholder: 'n',
      summary: 'Maximum number of artifacts, up to 200.',
      default: '20',
    },
  },
  examples: [
    { command: 'catalog usage', summary: 'the most used artifacts' },
    { command: 'catalog usage ops/deploy --days 90', summary: 'one artifact' },
  ],
  known_as: { popular: 'usage', stats: 'usage' },
} as const satisfies CommandDefinition;
