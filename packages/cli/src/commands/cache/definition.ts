import type { CommandDefinition } from '../../command/definition.ts';

export const cacheStatusDefinition = {
  name: 'cache status',
  section: 'About',
  summary: 'Say how much of what registries served is kept, and where.',
  description: [
    'One cache serves all workspaces, `catalog sync` and `catalog-mcp` alike. It keeps itself below 1 GiB; what was used least recently goes first.',
    'Packages are shared by all who use it; what each person was served is noted for that person alone, and goes with `catalog logout`.',
  ],
  arguments: [],
  flags: {},
  examples: [
    { command: 'catalog cache status', summary: 'how large it is' },
    {
      command: 'catalog cache status --json',
      summary: 'files and bytes of each part, for programs',
    },
  ],
} as const satisfies CommandDefinition;

export const cachePruneDefinition = {
  name: 'cache prune',
  section: 'About',
  summary: 'Remove from the cache what was not used for a while.',
  description: ['Everything in it can be loaded again; no workspace changes.'],
  arguments: [],
  flags: {
    days: {
      type: 'text',
      placeholder: 'n',
      summary: 'Remove what was not used for so many days; 0 removes everything.',
      default: '30',
    },
    'dry-run': { type: 'switch', short: 'n', summary: 'Say what would go; remove nothing.' },
  },
  examples: [
    { command: 'catalog cache prune --days 30', summary: 'what a month did not need' },
    { command: 'catalog cache prune --days 0', summary: 'everything' },
  ],
  known_as: { clean: 'cache prune', prune: 'cache prune' },
} as const satisfies CommandDefinition;
