import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const statusDefinition = {
  name: 'status',
  section: 'Inspect',
  summary: 'Show installed artifacts and whether they are current.',
  description: [
    'Reads the configuration, the lock and the registry.',
    'Moves versions that another program saved too late for the last sync to .catalog/kept, and lists them. Writes nothing else.',
  ],
  arguments: [],
  flags: { ...CONFIG_FLAGS },
  examples: [{ command: 'catalog status', summary: 'show the state of this workspace' }],
  known_as: { doctor: 'status', info: 'status', list: 'status', ls: 'status' },
} as const satisfies CommandDefinition;
