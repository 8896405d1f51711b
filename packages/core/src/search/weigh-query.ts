import { compareBytes } from '../artifact/compare-bytes.ts';
import type { SearchedTerm } from '../ports/search-index.ts';
import { boundOf, rarityOf } from './bm25.ts';
import { isDictionaryWord, mistakesBetween, mostMistakes } from './near-words.ts';
import type { QueryWord } from './query-terms.ts';

/** Terms that an unfinished word stands for, and those that a misspelt one does. */
const MOST_COMPLETIONS = 8;
const MOST_CORRECTIONS = 3;
/** Misspelt words of one query that are corrected. */
const MOST_CORRECTED = 8;
/** Words with one beginning that are looked at. */
export const MOST_LISTED = 2_000;

/** A term that documents of a view have. */
export interface HeldTerm {
  term: string;
  /** How many; at least one. */
  holders: number;
}

/**
 * What is asked of the words a view has: the first `MOST_LISTED` in byte order that begin so, or all that
 * `mistakesBetween` calls near, where others beside them do no harm.
 */
export type WordsAsked = { kind: 'beginning'; prefix: string } | { kind: 'near'; word: string };

/** What a view knows of terms. Layers that are not in it have no part in the answers. */
export interface KnownTerms {
  /** Documents of the layers, hidden by one another or not. */
  documents: number;
  /** How many of them have a term of the query. */
  holdersOf: (term: string) => number;
}

/** A query in the terms of a view. */
export interface WeighedQuery {
  terms: SearchedTerm[];
  bound: number;
}

/** What the words of a query count for in a view. */
export function weighQuery(
  words: readonly QueryWord[],
  known: KnownTerms,
  listWords: (asked: WordsAsked) => HeldTerm[],
): WeighedQuery {
  const weighing = weighWords(words, known);
  for (let step = weighing.next(); ; step = weighing.next(listWords(step.value))) {
    if (step.done === true) return step.value;
  }
}

/** The same where words have to be waited for. */
export async function weighQueryOf(
  words: readonly QueryWord[],
  known: KnownTerms,
  listWords: (asked: WordsAsked) => Promise<HeldTerm[]>,
): Promise<WeighedQuery> {
  const weighing = weighWords(words, known);
  for (let step = weighing.next(); ; step = weighing.next(await listWords(step.value))) {
    if (step.done === true) return step.value;
  }
}

type Weighing<Result> = Generator<WordsAsked, Result, HeldTerm[]>;

/** What a term counts for that a word is only taken to mean: half of what the word would. */
const GUESS_SHARE = 0.5;

/**
 * A word that stands for several terms counts once, by all their documents, and each of them as much. It
 * may have been meant otherwise, so it counts for less than a word that is there.
 */
function* weighWords(
  words: readonly QueryWord[],
  { documents, holdersOf }: KnownTerms,
): Weighing<WeighedQuery> {
  const meant = yield* findMeant(words, holdersOf);
  const terms = new Map<string, SearchedTerm>();
  const rarities: number[] = [];
  function add(group: readonly HeldTerm[], stands_for: string | undefined): void {
    const holders = group.reduce((sum, each) => sum + each.holders, 0);
    const rarity = rarityOf(documents, Math.min(documents, holders));
    rarities.push(rarity);
    const counted =
      stands_for === undefined ? rarity : Math.max(1, Math.round(rarity * GUESS_SHARE));
    for (const { term } of group) terms.set(term, { term, rarity: counted, for: stands_for });
  }
  for (const word of words) {
    const others = (meant.get(word) ?? []).filter(({ term }) => !terms.has(term));
    if (others.length > 0) {
      add(others, word.word);
      continue;
    }
    for (const term of word.terms) {
      if (!terms.has(term)) add([{ term, holders: holdersOf(term) }], undefined);
    }
  }
  return { terms: [...terms.values()], bound: boundOf(rarities) };
}

/**
 * What words that no document has stand for: the last one, while it is typed, for those that begin with
 * it; where that finds nothing and no other word does, each for those it may be a misspelling of.
 */
function* findMeant(
  words: readonly QueryWord[],
  holdersOf: KnownTerms['holdersOf'],
): Weighing<ReadonlyMap<QueryWord, HeldTerm[]>> {
  const meant = new Map<QueryWord, HeldTerm[]>();
  const unheld = words.filter(({ terms }) => !terms.some((term) => holdersOf(term) > 0));
  const typed = unheld.find(({ is_last, word }) => is_last && isDictionaryWord(word));
  if (typed !== undefined) {
    const listed = yield { kind: 'beginning', prefix: typed.word };
    const completions = listed.toSorted(byHolders).slice(0, MOST_COMPLETIONS);
    if (completions.length > 0) return meant.set(typed, completions);
  }
  if (unheld.length < words.length) return meant;
  for (const word of unheld.slice(0, MOST_CORRECTED)) meant.set(word, yield* correct(word));
  return meant;
}

/** A word is compared as it was written and as it is stemmed, since a mistake may change its stem. */
function* correct({ word, terms }: QueryWord): Weighing<HeldTerm[]> {
  const found = new Map<string, HeldTerm & { mistakes: number }>();
  for (const form of new Set([word, ...terms.slice(0, 1)])) {
    if (!isDictionaryWord(form) || mostMistakes(form) === 0) continue;
    for (const near of yield { kind: 'near', word: form }) {
      const mistakes = mistakesBetween(form, near.term);
      const known = found.get(near.term)?.mistakes ?? Infinity;
      if (mistakes !== undefined && mistakes < known) found.set(near.term, { ...near, mistakes });
    }
  }
  return [...found.values()]
    .sort((a, b) => a.mistakes - b.mistakes || byHolders(a, b))
    .slice(0, MOST_CORRECTIONS);
}

/** Those of most documents first, then in byte order. */
function byHolders(a: HeldTerm, b: HeldTerm): number {
  return b.holders - a.holders || compareBytes(a.term, b.term);
}
