import type { ListingBudget } from '../../budget/listing-budget.ts';

/**
 * What its makers hold their own skills to; how an entry is written around its text is not published.
 * Skills and commands that do not fit are missing from the list.
 */
export const copilotBudget: ListingBudget = {
  types: ['skill', 'command'],
  listing: {
    source:
      'https://github.com/microsoft/GitHub-Copilot-for-Azure/issues/1227; https://github.com/github/copilot-cli/issues/2314',
    version: 'Copilot CLI of March 2026',
    unit: 'characters',
    limit: 15_000,
    around: ({ name }) => name,
    beyond: 'omitted',
  },
};
