import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const undoDefinition = {
  name: 'undo',
  section: 'Install',
  summary: 'Revert the last sync.',
  description: [
    'Restores the files that the last sync replaced or removed, removes those it added, and restores sync.lock. Files that changed since that sync are kept and listed. Run undo again to redo the sync.',
    'The next `catalog sync` installs the current state of the registry again. To exclude an artifact, use `catalog sync disable --save <id>`.',
    'catalog keeps the copies it needs until the next sync that changes something, or until `catalog sync --remove`.',
  ],
  arguments: [],
  flags: {
    ...CONFIG_FLAGS,
    trust: {
      type: 'switch',
      summary:
        'Trust the current content of the configuration file to write outside the workspace.',
    },
    'dry-run': {
      type: 'switch',
      short: 'n',
      summary: 'Show what would change without writing it.',
    },
  },
  examples: [
    { command: 'catalog undo --dry-run', summary: 'show what would be restored' },
    { command: 'catalog undo', summary: 'revert the last sync' },
  ],
  known_as: { revert: 'undo', rollback: 'undo' },
} as const satisfies CommandDefinition;
