import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const configShowDefinition = {
  name: 'config show',
  section: 'Look',
  summary: 'Print every configured value and where it came from.',
  description: [
    'Values come from, lowest first: what is built in, ~/.catalog/sync.yaml, .catalog/sync.yaml, .catalog/sync.local.yaml, variables, flags.',
    'With --server, the settings `catalog serve` would start with here: what is built in, ~/.catalog/registry.yaml or the file --config names, variables. Secrets are not shown.',
  ],
  arguments: [],
  flags: {
    ...CONFIG_FLAGS,
    server: {
      type: 'switch',
      summary: 'The settings of the registry that `catalog serve` runs.',
    },
    explain: {
      type: 'text',
      placeholder: 'key',
      summary: 'One key: its value, its meaning, and every place that gives it.',
    },
  },
  examples: [
    { command: 'catalog config show', summary: 'everything' },
    { command: 'catalog config show --explain defaults.harness', summary: 'one key' },
    { command: 'catalog config show --server', summary: 'the settings of a registry' },
  ],
  known_as: { settings: 'config show' },
} as const satisfies CommandDefinition;
