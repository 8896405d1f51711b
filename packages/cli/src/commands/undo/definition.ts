import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const undoDefinition = {
  name: 'undo',
  section: 'Deliver',
  summary: 'Take back the last sync that changed something.',
  description: [
    'Restores the files that the last sync replaced or removed, removes those it added, and restores sync.lock. A file that changed since that sync is left alone and listed. Run it again to redo the sync.',
    'The registry is not asked, so the next `catalog sync` delivers its current state again. To keep an artifact out, use `catalog sync disable --save <id>`.',
    'catalog keeps the copies it needs until the next sync that changes something, or until `catalog sync --remove`.',
  ],
  arguments: [],
  flags: {
    ...CONFIG_FLAGS,
    trust: {
      type: 'switch',
      summary: 'Trust the configuration file as it is now to write outside the workspace.',
    },
    'dry-run': { type: 'switch', short: 'n', summary: 'Show what would change; write nothing.' },
  },
  examples: [
    { command: 'catalog undo --dry-run', summary: 'show what would be restored' },
    { command: 'catalog undo', summary: 'take the last sync back' },
  ],
  known_as: { revert: 'undo', rollback: 'undo' },
} as const satisfies CommandDefinition;
