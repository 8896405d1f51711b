import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const testDefinition = {
  name: 'test',
  section: 'Author',
  summary: 'Test artifacts against their trigger queries.',
  description: [
    'An artifact can include evals/triggers.yaml, a list of entries with `query`, `should_trigger` (default: true), and, for queries that should not trigger, the id that should win `instead`. Each query runs as a hybrid search over the whole folder, offline.',
    'A query passes if the artifact is among the first --top-k results. A query that should not trigger passes if the artifact is not first, or if the id in `instead` is among the results and ranks above it.',
    'After the failures, the report lists which other artifacts rank first for a query.',
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
    'top-k': {
      type: 'text',
      placeholder: 'n',
      summary: 'Number of results that count as found.',
      default: '3',
    },
    junit: {
      type: 'text',
      placeholder: 'file',
      summary: 'Also write the results to this file as JUnit XML.',
      completion: 'file',
    },
  },
  examples: [
    { command: 'catalog test', summary: 'test the configured registry' },
    { command: 'catalog test ./skills/review', summary: 'test one artifact against all' },
    {
      command: 'catalog test . --top-k 1 --junit triggers.xml',
      summary: 'require first place, in CI',
    },
  ],
  exit_one: 'a query failed or is invalid',
  long_running: true,
  known_as: { eval: 'test' },
} as const satisfies CommandDefinition;
