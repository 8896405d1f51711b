import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const configShowDefinition = {
  name: 'config show',
  section: 'Inspect',
  summary: 'Print effective settings and their source.',
  description: [
    'Precedence, lowest first: built-in defaults, ~/.catalog/sync.yaml, .catalog/sync.yaml, .catalog/sync.local.yaml, environment variables, flags.',
    'With --server, prints the settings `catalog serve` would use: built-in defaults, ~/.catalog/registry.yaml or the --config file, environment variables. Secrets are hidden.',
  ],
  arguments: [],
  flags: {
    ...CONFIG_FLAGS,
    server: {
      type: 'switch',
      summary: 'Print the settings of `catalog serve`.',
    },
    explain: {
      type: 'text',
      placeholder: 'key',
      summary: 'Explain one setting: value, meaning and every source.',
    },
  },
  examples: [
    { command: 'catalog config show', summary: 'print all settings' },
    { command: 'catalog config show --explain defaults.harness', summary: 'explain one setting' },
    { command: 'catalog config show --server', summary: 'print server settings' },
  ],
  known_as: { settings: 'config show' },
} as const satisfies CommandDefinition;
