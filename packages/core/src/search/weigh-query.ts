import { compareBytes } from '../artifact/compare-bytes.ts';
import type { SearchedTerm } from '../ports/search-index.ts';
import { boundOf, rarityOf } from './bm25.ts';
import { isDictionaryWord, mistakesBetween, maxMistakes } from './near-words.ts';
import type { QueryWord } from './query-terms.ts';

/** Maximum number of completions of an unfinished word, and of corrections of a typo. */
const MAX_COMPLETIONS = 8;
const MAX_CORRECTIONS = 3;
const MAX_CORRECTED_WORDS = 8;
export const MAX_LISTED = 2_000;

export interface TermFrequency {
  term: string;
  /** Number of documents with the term, at least one. */
  holders: number;
}

/** Request for words of the dictionary: the first `MAX_LISTED` with a prefix, or all that are similar. */
export type WordsRequest = { kind: 'beginning'; prefix: string } | { kind: 'near'; word: string };

/** Dictionary of a view; other layers have no effect. */
export interface KnownTerms {
  /** Number of documents in the layers, including hidden ones. */
  documents: number;
  holdersOf: (term: string) => number;
}

export interface WeighedQuery {
  terms: SearchedTerm[];
  bound: number;
}

export function weighQuery(
  words: readonly QueryWord[],
  known: KnownTerms,
  listWords: (request: WordsRequest) => TermFrequency[],
): WeighedQuery {
  const weighing = weighWords(words, known);
  for (let step = weighing.next(); ; step = weighing.next(listWords(step.value))) {
    if (step.done === true) return step.value;
  }
}

export async function weighQueryOf(
  words: readonly QueryWord[],
  known: KnownTerms,
  listWords: (request: WordsRequest) => Promise<TermFrequency[]>,
): Promise<WeighedQuery> {
  const weighing = weighWords(words, known);
  for (let step = weighing.next(); ; step = weighing.next(await listWords(step.value))) {
    if (step.done === true) return step.value;
  }
}

type Weighing<Result> = Generator<WordsRequest, Result, TermFrequency[]>;

const GUESS_SHARE = 0.5;

/** Weighs words. A word with several replacements counts once, with all their documents, and less than a known word. */
function* weighWords(
  words: readonly QueryWord[],
  { documents, holdersOf }: KnownTerms,
): Weighing<WeighedQuery> {
  const meant = yield* findCandidateTerms(words, holdersOf);
  const terms = new Map<string, SearchedTerm>();
  const rarities: number[] = [];
  function add(group: readonly TermFrequency[], replaced_word: string | undefined): void {
    const holders = group.reduce((sum, each) => sum + each.holders, 0);
    const rarity = rarityOf(documents, Math.min(documents, holders));
    rarities.push(rarity);
    const counted =
      replaced_word === undefined ? rarity : Math.max(1, Math.round(rarity * GUESS_SHARE));
    for (const { term } of group) terms.set(term, { term, rarity: counted, for: replaced_word });
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

/** Finds replacements: completes an unknown last word. If that fails and no word is known, corrects each word. */
function* findCandidateTerms(
  words: readonly QueryWord[],
  holdersOf: KnownTerms['holdersOf'],
): Weighing<ReadonlyMap<QueryWord, TermFrequency[]>> {
  const meant = new Map<QueryWord, TermFrequency[]>();
  const unheld = words.filter(({ terms }) => !terms.some((term) => holdersOf(term) > 0));
  const typed = unheld.find(({ is_last, word }) => is_last && isDictionaryWord(word));
  if (typed !== undefined) {
    const listed = yield { kind: 'beginning', prefix: typed.word };
    const completions = listed.toSorted(byHolders).slice(0, MAX_COMPLETIONS);
    if (completions.length > 0) return meant.set(typed, completions);
  }
  if (unheld.length < words.length) return meant;
  for (const word of unheld.slice(0, MAX_CORRECTED_WORDS)) meant.set(word, yield* correct(word));
  return meant;
}

/** Corrects a word as written and as stemmed, because a typo may change the stem. */
function* correct({ word, terms }: QueryWord): Weighing<TermFrequency[]> {
  const found = new Map<string, TermFrequency & { mistakes: number }>();
  for (const form of new Set([word, ...terms.slice(0, 1)])) {
    if (!isDictionaryWord(form) || maxMistakes(form) === 0) continue;
    for (const near of yield { kind: 'near', word: form }) {
      const mistakes = mistakesBetween(form, near.term);
      const known = found.get(near.term)?.mistakes ?? Infinity;
      if (mistakes !== undefined && mistakes < known) found.set(near.term, { ...near, mistakes });
    }
  }
  return [...found.values()]
    .sort((a, b) => a.mistakes - b.mistakes || byHolders(a, b))
    .slice(0, MAX_CORRECTIONS);
}

function byHolders(a: TermFrequency, b: TermFrequency): number {
  return b.holders - a.holders || compareBytes(a.term, b.term);
}
