import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const lintDefinition = {
  name: 'lint',
  section: 'Author',
  summary: 'Check the artifacts of a folder.',
  description: [
    'Reads the folder as a sync would and reports every problem with its file, line and column, the rule, and how to fix it. Errors keep an artifact from being delivered; warnings do not.',
    'Needs no network: addresses in prose are not requested.',
  ],
  arguments: [
    {
      name: 'path',
      summary: 'The registry folder; the configured registry when absent.',
      required: false,
      completion: 'folder',
    },
  ],
  flags: {
    registry: CONFIG_FLAGS.registry,
    format: {
      type: 'text',
      values: ['human', 'json', 'sarif', 'github'],
      summary: 'How to print: for people, for programs, for code hosts, as annotations.',
      default: 'human',
    },
    fix: {
      type: 'switch',
      summary: 'Repair what can be repaired mechanically, then report the rest.',
    },
    offline: { type: 'switch', summary: 'Accepted for scripts; lint never uses the network.' },
  },
  exclusive: [['json', 'format']],
  examples: [
    { command: 'catalog lint', summary: 'check the configured registry' },
    { command: 'catalog lint ./skills --fix', summary: 'repair a folder, then check it' },
    { command: 'catalog lint . --format sarif > lint.sarif', summary: 'for a code host' },
  ],
  exit_one: 'at least one error was found',
  known_as: { validate: 'lint', verify: 'lint' },
} as const satisfies CommandDefinition;
