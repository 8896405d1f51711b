import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const adminReembedDefinition = {
  name: 'admin reembed',
  section: 'Administer',
  summary: 'Rebuild artifact embeddings.',
  description: [
    'A server creates embeddings automatically, also when the model changes. Use this command after a long provider outage, or if embeddings are suspect. Searches continue with the existing embeddings.',
    'Waits until all embeddings are rebuilt and lists failures with the reason. If interrupted, the job continues in the registry.',
  ],
  arguments: [
    {
      name: 'artifact',
      summary: 'Rebuild only this artifact, such as ops/deploy/check or ops/deploy/check@1.2.0.',
      required: false,
    },
  ],
  flags: {
    registry: CONFIG_FLAGS.registry,
    'only-missing': { type: 'switch', summary: 'Rebuild only missing or stale embeddings.' },
    since: {
      type: 'text',
      placeholder: 'time',
      summary: 'Rebuild only artifacts ingested since, such as 2026-11-01 or 2026-11-01T09:30:00Z.',
    },
    'no-wait': {
      type: 'switch',
      summary: 'Return immediately; the job continues in the registry.',
    },
  },
  examples: [
    { command: 'catalog admin reembed --only-missing', summary: 'rebuild missing embeddings' },
    { command: 'catalog admin reembed ops/deploy/check', summary: 'rebuild one artifact' },
    {
      command: 'catalog admin reembed --since 2026-11-01',
      summary: 'rebuild artifacts ingested since a date',
    },
  ],
  exit_one: 'an embedding failed, or the command failed',
  known_as: { reembed: 'admin reembed', reindex: 'admin reembed' },
} as const satisfies CommandDefinition;
