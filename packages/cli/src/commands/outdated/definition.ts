import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const outdatedDefinition = {
  name: 'outdated',
  section: 'Install',
  summary: 'List artifacts with a newer version available.',
  description: [
    'Compares sync.lock with the registry. Writes nothing.',
    'For an HTTP registry, also marks rewritten content and downgrades, which a sync refuses, and shows the flags that accept them.',
  ],
  arguments: [],
  flags: { ...CONFIG_FLAGS },
  examples: [{ command: 'catalog outdated', summary: 'list what `catalog update` would change' }],
  exit_one: 'at least one artifact is outdated, or the run failed',
} as const satisfies CommandDefinition;
