import type { ListingBudget } from '../../budget/listing-budget.ts';

/** What its makers hold their own skills to; how an entry is written around its text is not published. */
export const copilotBudget: ListingBudget = {
  types: ['skill'],
  listing: {
    source: 'https://github.com/microsoft/GitHub-Copilot-for-Azure/issues/1227',
    version: 'Copilot CLI of March 2026',
    unit: 'characters',
    limit: 15_000,
    around: ({ name }) => name,
    beyond: 'shortened',
  },
};
