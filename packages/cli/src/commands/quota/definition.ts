import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const quotaDefinition = {
  name: 'quota',
  section: 'Look',
  summary: 'Say what your organization may use of a registry, and uses.',
  description: [
    'Limits a second hold for everybody in the organization together. Past one the registry refuses with a quota error that says when to come again.',
  ],
  arguments: [],
  flags: { registry: CONFIG_FLAGS.registry },
  examples: [{ command: 'catalog quota', summary: 'limits and usage' }],
  known_as: { limits: 'quota', usage: 'quota' },
} as const satisfies CommandDefinition;
