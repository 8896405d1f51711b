import type { Filters, KnownTerm } from './terms.ts';

export const MAX_READ = 10_000;
/** Maximum number of postings that a search reads for words too frequent to be read completely, over all layers. */
const MAX_BEST_READ = 6_000;
const MIN_BEST = 20;
const MAX_BEST = 1_000;

/** Postings that a search reads. `complete` is true if they contain every match. */
export interface Sources {
  complete: boolean;
  any_of: readonly KnownTerm[];
  /** Words whose postings in the view are all read. */
  listed: readonly KnownTerm[];
  /** Words of which only the best postings per layer are read, up to a limit. */
  best_of: readonly { word: KnownTerm; best: number }[];
  together: readonly KnownTerm[];
  by_filters: boolean;
  in_view: boolean;
}

const NO_SOURCE: Sources = {
  complete: true,
  any_of: [],
  listed: [],
  best_of: [],
  together: [],
  by_filters: false,
  in_view: false,
};

/** Returns the number of postings to read: those in the view or those in the tenant. */
function costOf({ listed, holders, everywhere }: KnownTerm): number {
  return listed ? holders : everywhere;
}

export function costOfFilters({ required, scope, inside }: Filters): number {
  const terms = inside === undefined ? required : [...required, inside];
  // A scope without subdomains contains only the artifact with its id, if any.
  if (scope !== '' && inside === undefined) return 0;
  return Math.min(...terms.map(({ everywhere }) => everywhere));
}

export function canRead(cost: number): boolean {
  return cost <= MAX_READ;
}

/** Selects how vectors are compared: all documents, filtered documents, or through the vector index. */
export function selectVectorMethod(
  filters: Filters,
  documents: number,
  max_compared: number,
): 'exact' | 'near' | 'filtered' {
  const cost = costOfFilters(filters);
  if (canRead(cost) && cost < documents) return 'filtered';
  return documents <= max_compared ? 'exact' : 'near';
}

export interface View {
  documents: number;
  layers: number;
  /** Maximum size of a view whose documents are all read. */
  most_whole: number;
}

/**
 * Selects the cheapest way to read all matches. If every way exceeds the limit, rare words are read completely and
 * frequent words only up to their best postings.
 */
export function decideSources(words: readonly KnownTerm[], filters: Filters, view: View): Sources {
  const by_words = words.reduce((sum, word) => sum + costOf(word), 0);
  const by_filters = costOfFilters(filters);
  const least = Math.min(by_words, by_filters, view.documents);
  if (!canRead(least) && view.documents > view.most_whole) return cut(words, view.layers);
  if (least === by_words) {
    const [listed, any_of] = split(words, isListed);
    return { ...NO_SOURCE, any_of, listed };
  }
  if (least === by_filters) return { ...NO_SOURCE, by_filters: true };
  return { ...NO_SOURCE, in_view: true };
}

function cut(words: readonly KnownTerm[], layers: number): Sources {
  let read = 0;
  // Words without their own postings come first, because they cannot be read partially.
  const [whole, frequent] = split(
    words.toSorted((a, b) => Number(a.listed) - Number(b.listed) || costOf(a) - costOf(b)),
    (word) => canRead((read += costOf(word))),
  );
  const [listed, any_of] = split(whole, isListed);
  const share = Math.ceil(MAX_BEST_READ / (layers * Math.max(1, frequent.length)));
  const best = Math.min(MAX_BEST, Math.max(MIN_BEST, share));
  return {
    ...NO_SOURCE,
    complete: false,
    any_of,
    best_of: [
      ...listed.map((word) => ({ word, best: MAX_READ })),
      ...frequent.map((word) => ({ word, best })),
    ],
    together: frequent,
  };
}

function isListed({ listed }: KnownTerm): boolean {
  return listed;
}

function split<Item>(
  items: readonly Item[],
  passes: (item: Item) => boolean,
): [passing: Item[], others: Item[]] {
  const { passing = [], others = [] } = Object.groupBy(items, (item) =>
    passes(item) ? 'passing' : 'others',
  );
  return [passing, others];
}

/**
 * Returns a lower bound of the matching documents from frequencies alone (SPEC-97): the documents of the most frequent
 * word, minus those that each filter and each hidden document may exclude.
 */
export function countLowerBound(
  words: readonly KnownTerm[],
  { required, inside }: Filters,
  { documents, hidden }: { documents: number; hidden: number },
): number {
  const matches = words.length === 0 ? documents : Math.max(...words.map(({ holders }) => holders));
  const filters = inside === undefined ? required : [...required, inside];
  const left_out = filters.reduce((sum, { holders }) => sum + documents - holders, 0);
  return Math.max(0, matches - left_out - hidden);
}
