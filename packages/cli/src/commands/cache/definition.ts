import type { CommandDefinition } from '../../command/definition.ts';

export const cacheStatusDefinition = {
  name: 'cache status',
  section: 'Other',
  summary: 'Show the size and location of the cache.',
  description: [
    'All workspaces, `catalog sync` and `catalog-mcp` share one cache. It is limited to 1 GiB; the least recently used entries are removed first.',
    'Packages are shared. The view of each user is cached separately, and `catalog logout` removes it.',
  ],
  arguments: [],
  flags: {},
  examples: [
    { command: 'catalog cache status', summary: 'show the size' },
    {
      command: 'catalog cache status --json',
      summary: 'print files and bytes of each part',
    },
  ],
} as const satisfies CommandDefinition;

export const cachePruneDefinition = {
  name: 'cache prune',
  section: 'Other',
  summary: 'Remove unused entries from the cache.',
  description: ['Removed entries are downloaded again when needed. No workspace changes.'],
  arguments: [],
  flags: {
    days: {
      type: 'text',
      placeholder: 'n',
      summary: 'Remove entries not used for this many days; 0 removes everything.',
      default: '30',
    },
    'dry-run': {
      type: 'switch',
      short: 'n',
      summary: 'Show what would be removed without removing it.',
    },
  },
  examples: [
    { command: 'catalog cache prune --days 30', summary: 'remove entries not used for a month' },
    { command: 'catalog cache prune --days 0', summary: 'remove everything' },
  ],
  known_as: { clean: 'cache prune', prune: 'cache prune' },
} as const satisfies CommandDefinition;
