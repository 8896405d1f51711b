import type { ListingBudget } from '../../budget/listing-budget.ts';

const SOURCE = 'https://github.com/openai/codex/blob/main/codex-rs/ext/skills/src/render.rs';

/** Beyond the list even without descriptions, skills are left out of it altogether. */
export const codexBudget: ListingBudget = {
  types: ['skill'],
  listing: {
    source: `${SOURCE}; logged in https://github.com/openai/codex/issues/24299`,
    version: 'Codex 0.133.0 to 0.166.0',
    unit: 'tokens',
    limit: 5440,
    context: { tokens: 272_000, percent: 2 },
    around: ({ name, path }) => `- ${name}:  (file: ${path})\n`,
    beyond: 'shortened',
  },
  description: { source: SOURCE, version: 'Codex 0.166.0', limit: 1024, beyond: 'cut' },
};
