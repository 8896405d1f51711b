/**
 * Length limits of dictionary words. Shorter words, longer words and words with digits are not
 * corrected.
 */
const SHORTEST_WORD = 3;
const LONGEST_WORD = 32;
const NOT_IN_WORDS = /[0-9:]/;

const SHORTEST_MISSPELT = 4;
const LONG_WORD = 8;

export function isDictionaryWord(term: string): boolean {
  const length = lengthOf(term);
  return length >= SHORTEST_WORD && length <= LONGEST_WORD && !NOT_IN_WORDS.test(term);
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

export function mostMistakes(word: string): number {
  const length = lengthOf(word);
  if (length < SHORTEST_MISSPELT) return 0;
  return length < LONG_WORD ? 1 : 2;
}

/** Returns the minimum number of shared trigrams of a near word: a mistake changes at most four. */
export function leastShared(word: string): number {
  return Math.max(1, trigramsOf(word).length - 4 * mostMistakes(word));
}

export function nearLengths(word: string): { shortest: number; longest: number } {
  const most = mostMistakes(word);
  return { shortest: lengthOf(word) - most, longest: lengthOf(word) + most };
}

/**
 * Counts letters to insert, delete, replace or swap. Returns undefined above the maximum, or if no
 * trigram is shared.
 */
export function mistakesBetween(word: string, term: string): number | undefined {
  const [left, right] = [Array.from(word), Array.from(term)];
  const { start, end } = sharedEnds(left, right);
  const distance = distanceWithin(
    mostMistakes(word),
    left.slice(start, left.length - end),
    right.slice(start, right.length - end),
  );
  if (distance === undefined || distance === 0) return distance;
  // With the adjacent space, two letters at an end are a trigram.
  if (start > 1 || end > 1) return distance;
  const shared = new Set(trigramsOf(word));
  return trigramsOf(term).some((trigram) => shared.has(trigram)) ? distance : undefined;
}

function sharedEnds(
  left: readonly string[],
  right: readonly string[],
): { start: number; end: number } {
  const most = Math.min(left.length, right.length);
  let start = 0;
  while (start < most && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < most - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  return { start, end };
}

/**
 * Returns the Damerau-Levenshtein distance in which no letter moves twice, or undefined if it
 * exceeds `most`.
 */
function distanceWithin(
  most: number,
  left: readonly string[],
  right: readonly string[],
): number | undefined {
  if (most === 0 || Math.abs(left.length - right.length) > most) return undefined;
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
    if (least > most) return undefined;
    [before, above] = [above, current];
  }
  const distance = above[right.length] ?? 0;
  return distance <= most ? distance : undefined;
}

function lengthOf(word: string): number {
  return Array.from(word).length;
}

const LEAST_LOOKED_UP = 4;

/**
 * Yields a word and its candidates, filled up with itself, so that words outside of the view take the
 * same time as missing ones.
 */
export function* wordsToLookUp(word: string, others: Iterable<string>): Generator<string> {
  let looked_up = 1;
  yield word;
  for (const other of others) {
    if (other === word) continue;
    looked_up += 1;
    yield other;
  }
  for (; looked_up < LEAST_LOOKED_UP; looked_up += 1) yield word;
}
