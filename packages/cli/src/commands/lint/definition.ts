import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const lintDefinition = {
  name: 'lint',
  section: 'Author',
  summary: 'Check artifacts for problems.',
  description: [
    'Reads the registry and overlay as a sync would, and reports each problem with file, line, column, rule and fix. An artifact with errors is not installed; warnings do not prevent it.',
    'The path can be a registry, or a folder or file inside one; lint then reports only that part. References resolve against the configured registry if it contains the path, else the nearest parent folder with a .registry-config, else the folder of the artifact.',
    'Paths in the output are relative to the current folder, absolute outside of it. Lint works offline and does not request URLs.',
  ],
  arguments: [
    {
      name: 'path',
      summary: 'Registry, or part of one. Default: the configured registry.',
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
      summary: 'Output format; `sarif` and `github` are for code hosts.',
      default: 'human',
    },
    fix: {
      type: 'switch',
      summary: 'Apply automatic fixes, then report the rest.',
    },
    offline: { type: 'switch', summary: 'No effect; lint never uses the network.' },
  },
  exclusive: [['json', 'format']],
  examples: [
    { command: 'catalog lint', summary: 'check the configured registry' },
    { command: 'catalog lint ./skills/review', summary: 'check one artifact' },
    { command: 'catalog lint ./skills --fix', summary: 'fix a folder, then check it' },
    {
      command: 'catalog lint . --format sarif > lint.sarif',
      summary: 'write SARIF for a code host',
    },
  ],
  exit_one: 'at least one error was found',
  known_as: { validate: 'lint', verify: 'lint' },
} as const satisfies CommandDefinition;
