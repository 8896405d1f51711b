import type { CommandDefinition } from '../../command/definition.ts';

export const helpDefinition = {
  name: 'help',
  section: 'About',
  summary: 'Explain a command, or list them all.',
  description: ['The same as `--help` after the command.'],
  arguments: [
    {
      name: 'command',
      summary: 'The command to explain.',
      required: false,
      repeated: true,
      completion: 'command',
    },
  ],
  flags: {},
  examples: [
    { command: 'catalog help', summary: 'every command' },
    { command: 'catalog help sync enable', summary: 'one command' },
  ],
} as const satisfies CommandDefinition;
