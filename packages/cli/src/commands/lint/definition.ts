import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const lintDefinition = {
  name: 'lint',
  section: 'Author',
  summary: 'Check the artifacts of a registry, or one of them.',
  description: [
    'Reads the registry and the overlay as a sync would, and reports every problem with its file, line and column, the rule, and how to fix it. Errors keep an artifact from being delivered; warnings do not.',
    'A path can be a registry, or any folder or file in one; then only that is reported. What it refers to is looked up in the configured registry where it lies in that, else in the nearest folder above it with a .registry-config, else in the folder its artifact lies in.',
    'Paths in the output are relative to the current folder in every format, and whole outside of it. Needs no network: addresses in prose are not requested.',
  ],
  arguments: [
    {
      name: 'path',
      summary: 'A registry, or a part of one; the configured registry when absent.',
      required: false,
      completion: 'file',
    },
  ],
  flags: {
    registry: CONFIG_FLAGS.registry,
    overlay: CONFIG_FLAGS.overlay,
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
    { command: 'catalog lint ./skills/review', summary: 'check one artifact' },
    { command: 'catalog lint ./skills --fix', summary: 'repair a folder, then check it' },
    { command: 'catalog lint . --format sarif > lint.sarif', summary: 'for a code host' },
  ],
  exit_one: 'at least one error was found',
  known_as: { validate: 'lint', verify: 'lint' },
} as const satisfies CommandDefinition;
