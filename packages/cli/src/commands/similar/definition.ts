import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const similarDefinition = {
  name: 'similar',
  section: 'Author',
  summary: 'List what the registry already has that means nearly the same.',
  description: [
    'Before an artifact is published: compares what it says of itself (name, description, when_to_use, tags) with everything in the registry, a server or a folder, by meaning. From a similarity of 0.85 on, two artifacts are near duplicates: agents choose between them at random.',
  ],
  arguments: [
    {
      name: 'path',
      summary: 'The folder of an artifact, or its ARTIFACT.md or SKILL.md.',
      required: true,
      completion: 'file',
    },
  ],
  flags: {
    registry: CONFIG_FLAGS.registry,
    'top-k': { type: 'text', placeholder: 'n', summary: 'At most so many.', default: '10' },
  },
  examples: [
    { command: 'catalog similar ./skills/review', summary: 'what is like it already' },
    {
      command: 'catalog similar ./skills/review --registry https://catalog.example.com',
      summary: 'on a server',
    },
  ],
} as const satisfies CommandDefinition;
