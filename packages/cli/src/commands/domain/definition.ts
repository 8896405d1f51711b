import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

const PATH = {
  name: 'path',
  summary: 'The domain, such as ops/deploy.',
} as const;

export const domainListDefinition = {
  name: 'domain list',
  section: 'Look',
  summary: 'Show the map of a domain, or of the whole registry.',
  description: [
    'The domains below it as deep as the registry draws them, and the artifacts worth knowing first.',
  ],
  arguments: [{ ...PATH, required: false }],
  flags: {
    registry: CONFIG_FLAGS.registry,
    depth: { type: 'text', placeholder: 'n', summary: 'At most so many levels.' },
  },
  examples: [
    { command: 'catalog domain list', summary: 'the whole registry' },
    { command: 'catalog domain list ops --depth 1', summary: 'one domain, one level' },
  ],
  known_as: { tree: 'domain list', browse: 'domain list', domains: 'domain list' },
} as const satisfies CommandDefinition;

export const domainSearchDefinition = {
  name: 'domain search',
  section: 'Look',
  summary: 'Find domains by what their authors say of them.',
  description: ['Looks at the descriptions, keywords and paths of domains. Needs a server.'],
  arguments: [{ name: 'words', summary: 'What to look for.', required: true, repeated: true }],
  flags: {
    registry: CONFIG_FLAGS.registry,
    scope: { type: 'text', placeholder: 'path', summary: 'Only below this domain.' },
    'top-k': { type: 'text', placeholder: 'n', summary: 'At most so many.', default: '10' },
  },
  examples: [{ command: 'catalog domain search deployment', summary: 'by words' }],
} as const satisfies CommandDefinition;

export const domainAnalyzeDefinition = {
  name: 'domain analyze',
  section: 'Look',
  summary: 'Say how a domain is shaped, and what to fold or split.',
  description: [
    'Counts artifacts and subdomains, and names those too small to stand alone or too large to survey. Needs a server.',
  ],
  arguments: [{ ...PATH, required: true }],
  flags: { registry: CONFIG_FLAGS.registry },
  examples: [{ command: 'catalog domain analyze ops', summary: 'one domain' }],
} as const satisfies CommandDefinition;
