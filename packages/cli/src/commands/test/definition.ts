import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const testDefinition = {
  name: 'test',
  section: 'Author',
  summary: 'Try whether artifacts are found by the questions they are meant for.',
  description: [
    'An artifact may carry evals/triggers.yaml, a list of questions: `query`, whether it `should_trigger` (true unless said otherwise), and where it should not, which id should win `instead`. Each is asked in a search of the whole folder, by words and meaning, without a network.',
    'A question passes where the artifact is among the first --top-k results: 3, because an agent reads a few results and chooses among them. One that should not trigger passes where the artifact does not come first, or where the one named by `instead` is among them and above it.',
    'Below the failures stands who comes first when an artifact is asked for, where it is not the artifact itself.',
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
    'top-k': {
      type: 'text',
      placeholder: 'n',
      summary: 'How many results count as found.',
      default: '3',
    },
    junit: {
      type: 'text',
      placeholder: 'file',
      summary: 'Also write the results there as JUnit XML, for CI.',
      completion: 'file',
    },
  },
  examples: [
    { command: 'catalog test', summary: 'the configured registry' },
    { command: 'catalog test ./skills/review', summary: 'one artifact, against all' },
    { command: 'catalog test . --top-k 1 --junit triggers.xml', summary: 'strictly, in CI' },
  ],
  exit_one: 'a question failed, or cannot be asked',
  long_running: true,
  known_as: { eval: 'test' },
} as const satisfies CommandDefinition;
