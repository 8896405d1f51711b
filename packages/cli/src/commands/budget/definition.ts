import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS, SELECTION_FLAGS } from '../config-flags.ts';

export const budgetDefinition = {
  name: 'budget',
  section: 'Inspect',
  summary: "Check skill descriptions against each harness's budget.",
  description: [
    'A harness gives its model a list of skill descriptions of limited size. Descriptions that do not fit are dropped or cut, and the model does not learn when to use the skill. Prints each limit and its source, how much of it a sync would use, and which descriptions to shorten.',
    'Skills you installed by other means share the budget but are not counted. Writes nothing.',
  ],
  arguments: [],
  flags: {
    ...CONFIG_FLAGS,
    ...SELECTION_FLAGS,
    context: {
      type: 'text',
      placeholder: 'tokens',
      summary: 'Context size of your model, for harnesses whose budget is a share of it.',
      default: 'the usual size for the harness',
    },
    trust: {
      type: 'switch',
      summary: 'Trust the configured adapters as they are now.',
    },
  },
  examples: [
    { command: 'catalog budget', summary: 'check the harnesses of this workspace' },
    {
      command: 'catalog budget --harness claude-code,codex',
      summary: 'check other harnesses',
    },
    {
      command: 'catalog budget --context 1000000',
      summary: 'assume a large context',
    },
  ],
} as const satisfies CommandDefinition;
