/**
 * What a product gives to the list of skills and their descriptions that it shows its model. Only
 * numbers that somebody published or that the program itself shows; each with where and at which
 * version, because they change.
 */
export interface ListingBudget {
  /** The types that are in the list. */
  types: readonly ('skill' | 'command')[];
  /** The limit of the whole list; absent where only single descriptions are limited. */
  listing?: ListingLimit;
  /** The limit of one description; absent where there is none. */
  description?: DescriptionLimit;
}

/** A limit of the whole list. */
export interface ListingLimit extends Source {
  /** A token is taken for four bytes, as the products that count in tokens do. */
  unit: 'characters' | 'tokens';
  /** Where it is a share of the model's context: at the context named there. */
  limit: number;
  context?: ContextShare;
  /** How much of it the product's own entries take, whatever the context. */
  built_in?: number;
  /** The product's own setting that changes it. */
  setting?: string;
  /** The text an entry has around its description: marks, name, path, the end of the line. */
  around: (entry: ListedName) => string;
  /** An entry whose description was dropped; the text around one if absent. */
  name_only?: (entry: ListedName) => string;
  /**
   * What happens beyond it. `dropped`: entries keep their name and lose their description, one after
   * the other. `shortened`: all long descriptions lose their ends. `omitted`: the entry that does not
   * fit and all that follow are missing from the list.
   */
  beyond: 'dropped' | 'shortened' | 'omitted';
}

/** What part of a context a list may take. */
export interface ContextShare {
  tokens: number;
  percent: number;
}

/** A limit of one description, in characters. */
export interface DescriptionLimit extends Source {
  limit: number;
  /** `cut`: the rest is not shown. `refused`: the product does not take the skill. */
  beyond: 'cut' | 'refused' | 'warned of';
}

/** Who says so. */
export interface Source {
  /** An address, or the program itself. */
  source: string;
  /** Of the product. */
  version: string;
}

/** What an entry is called, and the file it stands for. */
export interface ListedName {
  name: string;
  /** Absolute. */
  path: string;
}

/** The same budget for a model with another context. */
export function atContext(budget: ListingBudget, tokens: number): ListingBudget {
  const { listing } = budget;
  if (listing?.context === undefined) return budget;
  const limit = Math.floor((listing.limit / listing.context.tokens) * tokens);
  return { ...budget, listing: { ...listing, limit, context: { ...listing.context, tokens } } };
}
