import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const showDefinition = {
  name: 'show',
  section: 'Inspect',
  summary: 'Show an artifact.',
  description: [
    'Prints metadata, content and files of the version a sync would install, or of the one after @: a version, 1.2.x, 1.x, or a content hash.',
  ],
  arguments: [
    {
      name: 'artifact',
      summary: 'Artifact, such as ops/deploy/check or ops/deploy/check@1.0.0.',
      required: true,
    },
  ],
  flags: {
    registry: CONFIG_FLAGS.registry,
    versions: { type: 'switch', summary: 'List all versions in the registry.' },
  },
  examples: [
    { command: 'catalog show ops/deploy/check', summary: 'show the current version' },
    { command: 'catalog show ops/deploy/check@1.0.0', summary: 'show another version' },
    { command: 'catalog show ops/deploy/check --versions', summary: 'list all versions' },
  ],
  known_as: { cat: 'show <artifact>', view: 'show <artifact>', load: 'show <artifact>' },
} as const satisfies CommandDefinition;
