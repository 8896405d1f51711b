import type { CommandDefinition } from '../../command/definition.ts';
import {
  ACCEPT_FLAGS,
  APPROVE_FLAGS,
  CONFIG_FLAGS,
  RUNTIME_FLAGS,
  VERBOSE_FLAGS,
} from '../config-flags.ts';

export const updateDefinition = {
  name: 'update',
  section: 'Deliver',
  summary: 'Bring the named artifacts, or all, to what the registry offers now.',
  description: [
    'With ids, only those move and everything else stays as sync.lock names it. Without, everything moves.',
    'From an HTTP registry, it refuses different content under a version in sync.lock, and lower versions, like `catalog sync`; --accept-changed and --allow-downgrade accept them.',
  ],
  arguments: [{ name: 'id', summary: 'Artifacts to update.', required: false, repeated: true }],
  flags: {
    ...CONFIG_FLAGS,
    ...RUNTIME_FLAGS,
    ...ACCEPT_FLAGS,
    ...APPROVE_FLAGS,
    ...VERBOSE_FLAGS,
  },
  examples: [
    { command: 'catalog update ops/deploy/check', summary: 'move one artifact' },
    { command: 'catalog update', summary: 'move everything' },
  ],
  known_as: { upgrade: 'update' },
} as const satisfies CommandDefinition;
