/** Terms a dictionary has: what is shorter, longer or has digits in it is no word that people misspell. */
const SHORTEST_WORD = 3;
const LONGEST_WORD = 32;
const NOT_IN_WORDS = /[0-9:]/;

/** Words below are too short for a letter of them to be wrong. */
const SHORTEST_MISSPELT = 4;
/** From here on, two letters may be. */
const LONG_WORD = 8;

/** Whether a term is in the dictionary of words that others may stand for. */
export function isDictionaryWord(term: string): boolean {
  const length = lengthOf(term);
  return length >= SHORTEST_WORD && length <= LONGEST_WORD && !NOT_IN_WORDS.test(term);
}

/** The distinct runs of three characters of a word, its beginning and its end among them. */
export function trigramsOf(word: string): string[] {
  const characters = [' ', ...Array.from(word), ' '];
  return [
    ...new Set(
      characters.slice(2).map((last, at) => `${characters[at]}${characters[at + 1]}${last}`),
    ),
  ];
}

/** How many letters of a word may be wrong. */
export function mostMistakes(word: string): number {
  const length = lengthOf(word);
  if (length < SHORTEST_MISSPELT) return 0;
  return length < LONG_WORD ? 1 : 2;
}

/** A mistake changes at most four trigrams, so a near word shares at least so many of them. */
export function leastShared(word: string): number {
  return Math.max(1, trigramsOf(word).length - 4 * mostMistakes(word));
}

/** How much shorter or longer than a word a near one may be, in characters. */
export function nearLengths(word: string): { shortest: number; longest: number } {
  const most = mostMistakes(word);
  return { shortest: lengthOf(word) - most, longest: lengthOf(word) + most };
}

/**
 * How many letters have to be added, taken away, exchanged or swapped with their neighbour to make one
 * word of the other; undefined where that is more than may be wrong, or no trigram is shared.
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
  // With the blank beside it, two letters at an end are a trigram.
  if (start > 1 || end > 1) return distance;
  const shared = new Set(trigramsOf(word));
  return trigramsOf(term).some((trigram) => shared.has(trigram)) ? distance : undefined;
}

/** How many characters two words have in common at their beginnings, and how many more at their ends. */
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

/** Damerau and Levenshtein's, where no letter is moved twice; undefined where it is more than `most`. */
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

/** Words whose holders are looked up for one that nobody in a view has, at the least. */
const LEAST_LOOKED_UP = 4;

/**
 * What is looked up for a word that nobody in a view has: itself and the others, and itself again where these
 * are few. So a few words that only somebody outside the view has take as long as none.
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
