import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const openDefinition = {
  name: 'open',
  section: 'Inspect',
  summary: 'Open the web UI of the registry.',
  description: [
    'Prints the URL and opens it in your browser, if there is one. With an artifact, opens its page. The registry must serve the web UI: `catalog serve --web-ui`.',
  ],
  arguments: [
    {
      name: 'artifact',
      summary: 'Artifact, such as ops/deploy/check or ops/deploy/check@1.0.0.',
      required: false,
    },
  ],
  flags: { registry: CONFIG_FLAGS.registry },
  examples: [
    { command: 'catalog open', summary: 'open the home page' },
    { command: 'catalog open ops/deploy/check', summary: 'open the page of an artifact' },
  ],
  known_as: { browse: 'open', ui: 'open', web: 'open' },
} as const satisfies CommandDefinition;
