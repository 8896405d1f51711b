import type { CommandDefinition } from '../../command/definition.ts';

export const versionDefinition = {
  name: 'version',
  section: 'Other',
  summary: 'Print the version.',
  description: ['With --json, also prints the Node.js version and the platform.'],
  arguments: [],
  flags: {},
  examples: [{ command: 'catalog version', summary: 'print the version' }],
} as const satisfies CommandDefinition;
