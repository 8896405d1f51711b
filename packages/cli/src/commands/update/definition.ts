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
  section: 'Install',
  summary: 'Update only some artifacts; sync updates all.',
  description: [
    'With ids, updates only those artifacts and keeps the versions in sync.lock for the rest. Without ids, updates everything.',
    'From an HTTP registry, refuses different content under a version in sync.lock, and lower versions, like `catalog sync`. To accept them, pass --accept-changed or --allow-downgrade.',
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
    { command: 'catalog update ops/deploy/check', summary: 'update one artifact' },
    { command: 'catalog update', summary: 'update everything' },
  ],
  known_as: { upgrade: 'update' },
} as const satisfies CommandDefinition;
