import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS, SELECTION_FLAGS } from '../config-flags.ts';

export const budgetDefinition = {
  name: 'budget',
  section: 'Look',
  summary: "Compare the skills a sync would deliver with each harness's room for descriptions.",
  description: [
    'A harness shows its model a list of skills with their descriptions, and gives it so much room. What does not fit is dropped or cut, and the model never learns when to use the skill. This says how much room there is and who says so, what a sync would take of it, and which descriptions to shorten.',
    'What you have installed beside these takes of the same room and is not counted. Writes nothing.',
  ],
  arguments: [],
  flags: {
    ...CONFIG_FLAGS,
    ...SELECTION_FLAGS,
    context: {
      type: 'text',
      placeholder: 'tokens',
      summary: 'The context of your model, for harnesses that give a share of it.',
      default: "the harness's usual one",
    },
    trust: {
      type: 'switch',
      summary: 'Trust the adapters the configuration names as they are now.',
    },
  },
  examples: [
    { command: 'catalog budget', summary: 'for the harnesses this workspace delivers to' },
    {
      command: 'catalog budget --harness claude-code,codex',
      summary: 'for others, before you choose them',
    },
    {
      command: 'catalog budget --context 1000000',
      summary: 'for a model with a large context',
    },
  ],
} as const satisfies CommandDefinition;
