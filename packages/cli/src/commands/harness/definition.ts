import type { CommandDefinition } from '../../command/definition.ts';

export const harnessListDefinition = {
  name: 'harness list',
  section: 'Look',
  summary: 'List the harnesses and what each can take.',
  description: [
    'yes: taken natively. fallback: taken in a simpler form, with a warning. no: a sync fails on it unless told to skip.',
  ],
  arguments: [],
  flags: {},
  examples: [{ command: 'catalog harness list', summary: 'the capability matrix' }],
  known_as: { harnesses: 'harness list', agents: 'harness list' },
} as const satisfies CommandDefinition;
