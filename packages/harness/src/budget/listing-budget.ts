/**
 * Only published numbers, or numbers that the program itself shows. Each has its source and version,
 * because they change.
 */
export interface ListingBudget {
  types: readonly ('skill' | 'command')[];
  /** Absent if only single descriptions are limited. */
  listing?: ListingLimit;
  description?: DescriptionLimit;
}

export interface ListingLimit extends Source {
  /** A token counts as four bytes, as in the products that count tokens. */
  unit: 'characters' | 'tokens';
  /** Value for `context` if the limit is a share of the model's context. */
  limit: number;
  context?: ContextShare;
  /** Part of the limit for built-in entries, independent of the context. */
  built_in?: number;
  setting?: string;
  /** Returns marks, name, path and line break of an entry. */
  around: (entry: ListedName) => string;
  /** For an entry with a dropped description; defaults to `around`. */
  name_only?: (entry: ListedName) => string;
  /**
   * Effect of exceeding the limit. `dropped`: entries keep their name and lose their descriptions
   * one by one. `shortened`: all long descriptions are truncated. `omitted`: the entry that does
   * not fit and all later entries are missing from the list.
   */
  beyond: 'dropped' | 'shortened' | 'omitted';
}

export interface ContextShare {
  tokens: number;
  percent: number;
}

/** In characters. */
export interface DescriptionLimit extends Source {
  limit: number;
  /** `cut`: the rest is not shown. `refused`: the product rejects the skill. */
  beyond: 'cut' | 'refused' | 'warned of';
}

export interface Source {
  source: string;
  version: string;
}

export interface ListedName {
  name: string;
  path: string;
}

export function atContext(budget: ListingBudget, tokens: number): ListingBudget {
  const { listing } = budget;
  if (listing?.context === undefined) return budget;
  const limit = Math.floor((listing.limit / listing.context.tokens) * tokens);
  return { ...budget, listing: { ...listing, limit, context: { ...listing.context, tokens } } };
}
