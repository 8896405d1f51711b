import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const showDefinition = {
  name: 'show',
  section: 'Look',
  summary: 'Show one artifact: what it is, its text, its files.',
  description: [
    'Shows the version that would be delivered, or the one named after @: a version, 1.2.x, 1.x, or a content hash.',
  ],
  arguments: [
    {
      name: 'artifact',
      summary: 'The artifact, such as ops/deploy/check or ops/deploy/check@1.0.0.',
      required: true,
    },
  ],
  flags: {
    registry: CONFIG_FLAGS.registry,
    versions: { type: 'switch', summary: 'List every version the registry keeps.' },
  },
  examples: [
    { command: 'catalog show ops/deploy/check', summary: 'the current version' },
    { command: 'catalog show ops/deploy/check@1.0.0', summary: 'another one' },
    { command: 'catalog show ops/deploy/check --versions', summary: 'which there are' },
  ],
  known_as: { cat: 'show <artifact>', view: 'show <artifact>', load: 'show <artifact>' },
} as const satisfies CommandDefinition;
