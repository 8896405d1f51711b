import type { ListingBudget } from '../../budget/listing-budget.ts';

const PROGRAM = {
  source: 'the program itself; https://code.claude.com/docs/en/skills',
  version: 'Claude Code 2.1.325',
};

/**
 * Commands are skills to it, and stand in the same list. Its own skills keep their descriptions; which
 * of the others are dropped first is a matter of use.
 */
export const claudeCodeBudget: ListingBudget = {
  types: ['skill', 'command'],
  listing: {
    ...PROGRAM,
    unit: 'characters',
    limit: 8000,
    built_in: 6129,
    context: { tokens: 200_000, percent: 1 },
    setting: 'skillListingBudgetFraction',
    around: ({ name }) => `- ${name}: \n`,
    name_only: ({ name }) => `- ${name}\n`,
    beyond: 'dropped',
  },
  description: { ...PROGRAM, limit: 1536, beyond: 'cut' },
};
