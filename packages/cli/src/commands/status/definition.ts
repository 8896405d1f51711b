import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const statusDefinition = {
  name: 'status',
  section: 'Look',
  summary: 'Say what this workspace delivers, from where, and whether it is current.',
  description: ['Reads the configuration, the lock and the registry. Writes nothing.'],
  arguments: [],
  flags: { ...CONFIG_FLAGS },
  examples: [{ command: 'catalog status', summary: 'where do I stand' }],
  known_as: { doctor: 'status', info: 'status', list: 'status', ls: 'status' },
} as const satisfies CommandDefinition;
