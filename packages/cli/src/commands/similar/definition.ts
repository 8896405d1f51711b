import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const similarDefinition = {
  name: 'similar',
  section: 'Author',
  summary: 'List artifacts similar to a draft.',
  description: [
    'Compares the name, description, when_to_use and tags of a draft with every artifact in the registry, by meaning. Artifacts with a similarity of 0.85 or more are near duplicates, and agents choose between them at random.',
  ],
  arguments: [
    {
      name: 'path',
      summary: 'Folder of an artifact, or its ARTIFACT.md or SKILL.md.',
      required: true,
      completion: 'file',
    },
  ],
  flags: {
    registry: CONFIG_FLAGS.registry,
    'top-k': {
      type: 'text',
      placeholder: 'n',
      summary: 'Maximum number of results.',
      default: '10',
    },
  },
  examples: [
    { command: 'catalog similar ./skills/review', summary: 'compare with the configured registry' },
    {
      command: 'catalog similar ./skills/review --registry https://catalog.example.com',
      summary: 'compare with a server',
    },
  ],
} as const satisfies CommandDefinition;
