/** Limits of corrected words. Shorter words, longer words and words with digits are not corrected. */
const MIN_WORD_LENGTH = 3;
const MAX_WORD_LENGTH = 32;
const NOT_IN_WORDS = /[0-9:]/;

const MIN_CORRECTED_LENGTH = 4;
const LONG_WORD = 8;

export function isDictionaryWord(term: string): boolean {
  const length = lengthOf(term);
  return length >= MIN_WORD_LENGTH && length <= MAX_WORD_LENGTH && !NOT_IN_WORDS.test(term);
}

/** Returns the distinct trigrams of a word, including its start and its end. */
export function trigramsOf(word: string): string[] {
  const characters = [' ', ...Array.from(word), ' '];
  return [
    ...new Set(
      characters.slice(2).map((last, at) => `${characters[at]}${characters[at + 1]}${last}`),
    ),
  ];
}

export function maxMistakes(word: string): number {
  const length = lengthOf(word);
  if (length < MIN_CORRECTED_LENGTH) return 0;
  return length < LONG_WORD ? 1 : 2;
}

/** Returns the minimum number of shared trigrams of similar words: a mistake changes at most four. */
export function minSharedTrigrams(word: string): number {
  return Math.max(1, trigramsOf(word).length - 4 * maxMistakes(word));
}

export function nearLengths(word: string): { shortest: number; longest: number } {
  const limit = maxMistakes(word);
  return { shortest: lengthOf(word) - limit, longest: lengthOf(word) + limit };
}

/** Counts mistakes: letters to insert, delete, replace or swap. Returns undefined above the maximum. */
export function mistakesBetween(word: string, term: string): number | undefined {
  const [left, right] = [Array.from(word), Array.from(term)];
  const { start, end } = sharedEnds(left, right);
  const distance = distanceWithin(
    maxMistakes(word),
    left.slice(start, left.length - end),
    right.slice(start, right.length - end),
  );
  if (distance === undefined || distance === 0) return distance;
  // Two equal letters at an end always share a trigram, because words are padded with a space.
  if (start > 1 || end > 1) return distance;
  const shared = new Set(trigramsOf(word));
  return trigramsOf(term).some((trigram) => shared.has(trigram)) ? distance : undefined;
}

function sharedEnds(
  left: readonly string[],
  right: readonly string[],
): { start: number; end: number } {
  const limit = Math.min(left.length, right.length);
  let start = 0;
  while (start < limit && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < limit - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  return { start, end };
}

/** Returns the Damerau-Levenshtein distance; undefined above `limit`. */
function distanceWithin(
  limit: number,
  left: readonly string[],
  right: readonly string[],
): number | undefined {
  if (limit === 0 || Math.abs(left.length - right.length) > limit) return undefined;
  let before: number[] = [];
  let above = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      const swapped =
        row > 1 &&
        column > 1 &&
        left[row - 1] === right[column - 2] &&
        left[row - 2] === right[column - 1];
      const distance = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[column - 2] ?? 0) + 1 : Infinity,
      );
      current[column] = distance;
      least = Math.min(least, distance);
    }
    if (least > limit) return undefined;
    [before, above] = [above, current];
  }
  const distance = above[right.length] ?? 0;
  return distance <= limit ? distance : undefined;
}

function lengthOf(word: string): number {
  return Array.from(word).length;
}

const MIN_LOOKUPS = 4;

/**
 * Yields a word and its candidates, filled up with copies of the word, so that the duration does not depend on hidden
 * words.
 */
export function* wordsToLookUp(word: string, others: Iterable<string>): Generator<string> {
  let looked_up = 1;
  yield word;
  for (const other of others) {
    if (other === word) continue;
    looked_up += 1;
    yield other;
  }
  for (; looked_up < MIN_LOOKUPS; looked_up += 1) yield word;
}
