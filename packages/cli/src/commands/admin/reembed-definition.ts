import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const adminReembedDefinition = {
  name: 'admin reembed',
  section: 'Operate',
  summary: 'Make the vectors of artifacts again.',
  description: [
    'A registry makes vectors by itself, also when its model changes. This is for when a provider failed for long, or a vector is in doubt. Searches go on meanwhile with the vectors there are.',
    'It waits until all are made, and lists those that could not be, with the reason. Interrupted, it goes on in the registry.',
  ],
  arguments: [
    {
      name: 'artifact',
      summary: 'Only this one, such as ops/deploy/check or ops/deploy/check@1.2.0.',
      required: false,
    },
  ],
  flags: {
    registry: CONFIG_FLAGS.registry,
    'only-missing': { type: 'switch', summary: 'Only those that have no current vector.' },
    since: {
      type: 'text',
      placeholder: 'time',
      summary: 'Only those ingested then or later, such as 2026-11-01 or 2026-11-01T09:30:00Z.',
    },
    'no-wait': { type: 'switch', summary: 'Return at once; it goes on in the registry.' },
  },
  examples: [
    { command: 'catalog admin reembed --only-missing', summary: 'what has no vector' },
    { command: 'catalog admin reembed ops/deploy/check', summary: 'one artifact' },
    { command: 'catalog admin reembed --since 2026-11-01', summary: 'what came in since' },
  ],
  exit_one: 'a vector could not be made, or the run failed',
  known_as: { reembed: 'admin reembed', reindex: 'admin reembed' },
} as const satisfies CommandDefinition;
