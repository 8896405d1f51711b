import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

const PATH = {
  name: 'path',
  summary: 'Domain, such as ops/deploy.',
} as const;

export const domainListDefinition = {
  name: 'domain list',
  section: 'Inspect',
  summary: 'Show the domains and artifacts of a registry.',
  description: [
    'Shows subdomains, down to the depth the registry configures, and the most important artifacts.',
  ],
  arguments: [{ ...PATH, required: false }],
  flags: {
    registry: CONFIG_FLAGS.registry,
    depth: { type: 'text', placeholder: 'n', summary: 'Maximum number of levels.' },
  },
  examples: [
    { command: 'catalog domain list', summary: 'show the whole registry' },
    { command: 'catalog domain list ops --depth 1', summary: 'show one level of a domain' },
  ],
  known_as: { tree: 'domain list', browse: 'domain list', domains: 'domain list' },
} as const satisfies CommandDefinition;

export const domainSearchDefinition = {
  name: 'domain search',
  section: 'Inspect',
  summary: 'Search for domains.',
  description: [
    'Searches the descriptions, keywords and paths of domains. Requires a registry server.',
  ],
  arguments: [{ name: 'words', summary: 'Search words.', required: true, repeated: true }],
  flags: {
    registry: CONFIG_FLAGS.registry,
    scope: { type: 'text', placeholder: 'path', summary: 'Search only in this domain.' },
    'top-k': {
      type: 'text',
      placeholder: 'n',
      summary: 'Maximum number of results.',
      default: '10',
    },
  },
  examples: [{ command: 'catalog domain search deployment', summary: 'search by words' }],
} as const satisfies CommandDefinition;

export const domainAnalyzeDefinition = {
  name: 'domain analyze',
  section: 'Inspect',
  summary: 'Suggest subdomains to merge or split.',
  description: [
    'Counts artifacts and subdomains, and lists subdomains that are too small or too large. Requires a registry server.',
  ],
  arguments: [{ ...PATH, required: true }],
  flags: { registry: CONFIG_FLAGS.registry },
  examples: [{ command: 'catalog domain analyze ops', summary: 'analyze one domain' }],
} as const satisfies CommandDefinition;
