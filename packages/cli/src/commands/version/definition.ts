import type { CommandDefinition } from '../../command/definition.ts';

export const versionDefinition = {
  name: 'version',
  section: 'About',
  summary: 'Print the version.',
  description: ['`catalog version --json` adds the Node.js version and the platform.'],
  arguments: [],
  flags: {},
  examples: [{ command: 'catalog version', summary: 'the version alone' }],
} as const satisfies CommandDefinition;
