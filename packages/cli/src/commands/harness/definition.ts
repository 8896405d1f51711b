import type { CommandDefinition } from '../../command/definition.ts';

export const harnessListDefinition = {
  name: 'harness list',
  section: 'Look',
  summary: 'List the harnesses and what each can take.',
  description: [
    'yes: taken natively. fallback: taken, of rules in some modes, in a simpler form, with a warning. 6 of 20: so many events of hooks have an equivalent. no: a sync fails on it unless told to skip.',
  ],
  arguments: [],
  flags: {},
  examples: [{ command: 'catalog harness list', summary: 'the capability matrix' }],
  known_as: { harnesses: 'harness list', agents: 'harness list' },
} as const satisfies CommandDefinition;

export const harnessShowDefinition = {
  name: 'harness show',
  section: 'Look',
  summary: 'Show what lands where in a harness, and what it takes otherwise or not at all.',
  description: [
    'Where each type goes, what the modes of rules and the events of hooks become, which other folders the product reads skills from, where its MCP servers stand, and how much room it has for descriptions. Adapters of your own, named under `adapters` in sync.yaml, are shown as well.',
  ],
  arguments: [
    {
      name: 'id',
      summary: 'The harness, such as harness-a; `catalog harness list` names them.',
      required: true,
      completion: 'harness',
    },
  ],
  flags: {
    trust: {
      type: 'switch',
      summary: 'Trust the adapters the configuration names as they are now.',
    },
  },
  examples: [
    { command: 'catalog harness show harness-a', summary: 'where everything goes' },
    {
      command: 'catalog harness show harness-d --json',
      summary: 'the same for a program',
    },
  ],
} as const satisfies CommandDefinition;
