/** Limits of the skill listing, from documentation or the program itself, with source and version. */
export interface ListingBudget {
  types: readonly ('skill' | 'command')[];
  /** Limit of the whole listing; absent if only single descriptions are limited. */
  listing?: ListingLimit;
  description?: DescriptionLimit;
}

export interface ListingLimit extends Source {
  /** Unit of the limit. A token counts as four bytes. */
  unit: 'characters' | 'tokens';
  /** The limit, for `context` if it is a share of the model's context. */
  limit: number;
  context?: ContextShare;
  /** Part of the limit for built-in entries. */
  built_in?: number;
  setting?: string;
  /** Returns the marks, name, path and line break of an entry. */
  around: (entry: ListedName) => string;
  /** The same for an entry without its description; `around` if absent. */
  name_only?: (entry: ListedName) => string;
  /**
   * Effect above the limit. `dropped`: entries lose their descriptions one by one. `shortened`: all long descriptions
   * are cut. `omitted`: the entry that does not fit and all later ones are missing.
   */
  beyond: 'dropped' | 'shortened' | 'omitted';
}

export interface ContextShare {
  tokens: number;
  percent: number;
}

/** Limit of a description in characters. */
export interface DescriptionLimit extends Source {
  limit: number;
  /** Effect above the limit. `cut`: the rest is not shown. `refused`: the product rejects the skill. */
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

export function scaleToContext(budget: ListingBudget, tokens: number): ListingBudget {
  const { listing } = budget;
  if (listing?.context === undefined) return budget;
  const limit = Math.floor((listing.limit / listing.context.tokens) * tokens);
  return { ...budget, listing: { ...listing, limit, context: { ...listing.context, tokens } } };
}
