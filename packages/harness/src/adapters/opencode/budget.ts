import type { ListingBudget } from '../../budget/listing-budget.ts';

/** It lists every skill whole, and publishes no limit for the list. */
export const opencodeBudget: ListingBudget = {
  types: ['skill'],
  description: {
    source: 'https://opencode.ai/docs/skills',
    version: 'OpenCode 1.18.33',
    limit: 1024,
    beyond: 'refused',
  },
};
