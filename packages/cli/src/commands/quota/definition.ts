import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const quotaDefinition = {
  name: 'quota',
  section: 'Inspect',
  summary: "Show your organization's limits and usage.",
  description: [
    'Rate limits apply to the organization as a whole. When a limit is exceeded, the registry returns a quota error with the time to retry.',
  ],
  arguments: [],
  flags: { registry: CONFIG_FLAGS.registry },
  examples: [{ command: 'catalog quota', summary: 'show limits and usage' }],
  known_as: { limits: 'quota' },
} as const satisfies CommandDefinition;
