import { firstWords } from './first-words.ts';
import { DIMENSIONS, MAX_TOKENS, UNKNOWN } from './model.ts';
import { readTable, sumRows, type Table } from './table.ts';
import { readVocabulary, tokensOf, type Vocabulary } from './vocabulary.ts';

/** Length up to which nearly every combination of letters has a token. */
const MAX_LETTERS = 3;

let vocabulary: Vocabulary | undefined;
let table: Table | undefined;

/** Embeds text as a vector of unit length; the zero vector if the model knows none of the words. */
export function encode(text: string): Float32Array {
  table ??= readTable();
  const vector = sumRows(table, tokenize(text));
  normalize(vector);
  return vector;
}

export function tokenize(text: string): number[] {
  vocabulary ??= readVocabulary();
  const tokens: number[] = [];
  for (const word of firstWords(text, MAX_TOKENS)) {
    if (tokens.length >= MAX_TOKENS) break;
    for (const token of tokensOf(word, vocabulary)) tokens.push(token);
  }
  return tokens.length > MAX_TOKENS ? tokens.slice(0, MAX_TOKENS) : tokens;
}

/** Returns true for a token of a whole word; single letters have one too. */
export function isWholeWord(word: string): boolean {
  vocabulary ??= readVocabulary();
  const tokens = tokensOf(word.toLowerCase(), vocabulary);
  return word.length > MAX_LETTERS && tokens.length === 1 && tokens[0] !== UNKNOWN;
}

/** Scales a vector to unit length. Plain loops are ten times as fast as callbacks. */
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
