import type { ListingBudget } from '../../budget/listing-budget.ts';

/** It lists every skill whole; of a longer description it only warns. */
export const piBudget: ListingBudget = {
  types: ['skill'],
  description: {
    source: 'the program itself (MAX_DESCRIPTION_LENGTH)',
    version: 'Pi 0.87.1',
    limit: 1024,
    beyond: 'warned of',
  },
};
