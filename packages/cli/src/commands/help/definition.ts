import type { CommandDefinition } from '../../command/definition.ts';

export const helpDefinition = {
  name: 'help',
  section: 'Other',
  summary: 'Show help for a command, or list commands.',
  description: ['Same as `--help` after the command.'],
  arguments: [
    {
      name: 'command',
      summary: 'Command to explain.',
      required: false,
      repeated: true,
      completion: 'command',
    },
  ],
  flags: {
    all: { type: 'switch', summary: 'List all commands, environment variables and exit codes.' },
  },
  examples: [
    { command: 'catalog help', summary: 'list common commands' },
    { command: 'catalog help --all', summary: 'list all commands' },
    { command: 'catalog help sync enable', summary: 'explain one command' },
  ],
} as const satisfies CommandDefinition;
