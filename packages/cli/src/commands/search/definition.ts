import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS, SELECTION_FLAGS } from '../config-flags.ts';

export const searchDefinition = {
  name: 'search',
  section: 'Look',
  summary: 'Find artifacts by words.',
  description: [
    'Searches names, descriptions, tags and ids of the registry, a server or a folder. Without words it lists what there is, by id.',
  ],
  arguments: [
    {
      name: 'words',
      summary: 'What to look for.',
      required: false,
      repeated: true,
    },
  ],
  flags: {
    registry: CONFIG_FLAGS.registry,
    type: { ...SELECTION_FLAGS.type, summary: 'Only artifacts of this type.' },
    tag: { type: 'list', placeholder: 'tag', summary: 'Only with this tag; may be repeated.' },
    scope: {
      type: 'text',
      placeholder: 'path',
      summary: 'Only below this domain, such as ops/deploy.',
    },
    'top-k': { type: 'text', placeholder: 'n', summary: 'At most so many.', default: '10' },
  },
  examples: [
    { command: 'catalog search release checklist', summary: 'by words' },
    { command: 'catalog search --type skill --tag deploy', summary: 'all of a kind' },
    { command: 'catalog search deploy --scope ops --top-k 50', summary: 'in one domain' },
  ],
  known_as: { find: 'search', grep: 'search' },
} as const satisfies CommandDefinition;
