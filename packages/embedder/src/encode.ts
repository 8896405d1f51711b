import { firstWords } from './first-words.ts';
import { DIMENSIONS, MOST_TOKENS, UNKNOWN } from './model.ts';
import { readTable, sumRows, type Table } from './table.ts';
import { readVocabulary, tokensOf, type Vocabulary } from './vocabulary.ts';

/** Words of at most this length are abbreviations: most combinations of letters have a token. */
const MAX_LETTERS = 3;

/** Read by the first that asks, once for the process. */
let vocabulary: Vocabulary | undefined;
let table: Table | undefined;

/**
 * What a text means, as a vector of unit length: the nearer two are, the more their texts have to do
 * with each other. Zeros, which are near nothing, where the model knows no word of it.
 */
export function encode(text: string): Float32Array {
  table ??= readTable();
  const vector = sumRows(table, tokenize(text));
  normalize(vector);
  return vector;
}

/** The tokens of a text that are looked at, in its order. */
export function tokenize(text: string): number[] {
  vocabulary ??= readVocabulary();
  const tokens: number[] = [];
  for (const word of firstWords(text, MOST_TOKENS)) {
    if (tokens.length >= MOST_TOKENS) break;
    for (const token of tokensOf(word, vocabulary)) tokens.push(token);
  }
  return tokens.length > MOST_TOKENS ? tokens.slice(0, MOST_TOKENS) : tokens;
}

/** Returns true if the model has a token for the whole word. It has one for each single letter too. */
export function isWholeWord(word: string): boolean {
  vocabulary ??= readVocabulary();
  const tokens = tokensOf(word.toLowerCase(), vocabulary);
  return word.length > MAX_LETTERS && tokens.length === 1 && tokens[0] !== UNKNOWN;
}

/** In plain loops, which take a tenth of what callbacks take. */
function normalize(vector: Float32Array): void {
  let squares = 0;
  for (let dimension = 0; dimension < DIMENSIONS; dimension += 1) {
    const value = vector[dimension] ?? 0;
    squares += value * value;
  }
  if (squares === 0) return;
  const factor = 1 / Math.sqrt(squares);
  for (let dimension = 0; dimension < DIMENSIONS; dimension += 1) {
    vector[dimension] = (vector[dimension] ?? 0) * factor;
  }
}
