import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS, SELECTION_FLAGS } from '../config-flags.ts';

export const warningsDefinition = {
  name: 'warnings',
  section: 'Inspect',
  summary: 'List the warnings of a sync, or acknowledge them.',
  description: [
    'Lists artifacts that a harness cannot load as written, skipped artifacts, descriptions that exceed the budget of a harness, and lint warnings. Writes nothing to the workspace files.',
    'An acknowledged warning is not repeated by `catalog sync` until its text changes. Acknowledgments stay on this machine, in .catalog/state/.',
  ],
  arguments: [
    {
      name: 'id',
      summary: 'Only warnings about these artifacts.',
      required: false,
      repeated: true,
    },
  ],
  flags: {
    ...CONFIG_FLAGS,
    ...SELECTION_FLAGS,
    acknowledge: { type: 'switch', summary: 'Stop showing these warnings in a sync.' },
    reset: { type: 'switch', summary: 'Show acknowledged warnings again.' },
    trust: {
      type: 'switch',
      summary: 'Trust the configured adapters as they are now.',
    },
  },
  exclusive: [['acknowledge', 'reset']],
  examples: [
    { command: 'catalog warnings', summary: 'list the current warnings' },
    { command: 'catalog warnings --acknowledge', summary: 'acknowledge all of them' },
    {
      command: 'catalog warnings ops/deploy/check --acknowledge',
      summary: 'acknowledge the warnings about one artifact',
    },
  ],
} as const satisfies CommandDefinition;
