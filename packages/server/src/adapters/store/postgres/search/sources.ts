import type { Filters, KnownTerm } from './terms.ts';

/** Documents read for one search at most, where all that match are looked at. */
export const MOST_READ = 10_000;
/** Postings read of words that are too frequent to be read whole, over all of them and all layers. */
const BEST_READ = 6_000;
const LEAST_BEST = 20;
const MOST_BEST = 1_000;

/** Where the candidates of a search come from; `complete` when no match is left out. */
export interface Sources {
  complete: boolean;
  /** Words, by the index of terms. */
  any_of: readonly KnownTerm[];
  /** Words, by their postings in the view. */
  listed: readonly KnownTerm[];
  /** Words, by the best of their postings, so many in each layer. */
  best_of: readonly { word: KnownTerm; best: number }[];
  /** Words that a document has all of. */
  together: readonly KnownTerm[];
  /** Every document that passes the filters. */
  by_filters: boolean;
  /** Every document of the view. */
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

/** What is read to look at every match of a word: its postings in the view, or those of the tenant. */
function costOf({ listed, holders, everywhere }: KnownTerm): number {
  return listed ? holders : everywhere;
}

/** What is read to look at everything that passes the filters. */
export function costOfFilters({ required, scope, inside }: Filters): number {
  const terms = inside === undefined ? required : [...required, inside];
  // A scope with nothing below it is at most the artifact it names.
  if (scope !== '' && inside === undefined) return 0;
  return Math.min(...terms.map(({ everywhere }) => everywhere));
}

export function canRead(cost: number): boolean {
  return cost <= MOST_READ;
}

/** How the nearest are found: of all one by one, of those that pass the filters one by one, or by the graph. */
export function decideWay(
  filters: Filters,
  documents: number,
  most_compared: number,
): 'exact' | 'near' | 'filtered' {
  const cost = costOfFilters(filters);
  if (canRead(cost) && cost < documents) return 'filtered';
  return documents <= most_compared ? 'exact' : 'near';
}

export interface View {
  documents: number;
  layers: number;
  /** With no more documents than this none is left out. */
  most_whole: number;
}

/**
 * The cheapest way to look at every match; where each is too long, the rarest words are read whole and
 * of the others what promises the best scores.
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
  // The rarest first, but those before all others that have no postings of their own to choose from.
  const [whole, frequent] = split(
    words.toSorted((a, b) => Number(a.listed) - Number(b.listed) || costOf(a) - costOf(b)),
    (word) => canRead((read += costOf(word))),
  );
  const [listed, any_of] = split(whole, isListed);
  const share = Math.ceil(BEST_READ / (layers * Math.max(1, frequent.length)));
  const best = Math.min(MOST_BEST, Math.max(LEAST_BEST, share));
  return {
    ...NO_SOURCE,
    complete: false,
    any_of,
    best_of: [
      ...listed.map((word) => ({ word, best: MOST_READ })),
      ...frequent.map((word) => ({ word, best })),
    ],
    together: frequent,
  };
}

function isListed({ listed }: KnownTerm): boolean {
  return listed;
}

/** Those that pass and those that do not. */
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
 * Returns a lower bound of the documents that match, from frequencies alone (SPEC-97): the documents of
 * the commonest word, less those that each filter and each hidden document may leave out.
 */
export function countAtLeast(
  words: readonly KnownTerm[],
  { required, inside }: Filters,
  { documents, hidden }: { documents: number; hidden: number },
): number {
  const matches = words.length === 0 ? documents : Math.max(...words.map(({ holders }) => holders));
  const filters = inside === undefined ? required : [...required, inside];
  const left_out = filters.reduce((sum, { holders }) => sum + documents - holders, 0);
  return Math.max(0, matches - left_out - hidden);
}
