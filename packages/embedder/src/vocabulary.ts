import { MAX_WORD_LENGTH, UNKNOWN, VOCABULARY } from './model.ts';
import { readData } from './read-data.ts';

export interface Vocabulary {
  /** Pieces at the start of a word, including whole words. */
  beginnings: Pieces;
  continuations: Pieces;
  seen: Map<string, readonly number[]>;
}

interface Pieces {
  known: Map<string, number>;
  longest: number;
}

const CONTINUES = '##';

const MAX_CACHED_WORDS = 20_000;
/** Maximum length of cached words: V8 stores a longer one as a slice, which keeps the whole text in memory. */
const MAX_CACHED_LENGTH = 12;

export function readVocabulary(): Vocabulary {
  const beginnings: Pieces = { known: new Map(), longest: 0 };
  const continuations: Pieces = { known: new Map(), longest: 0 };
  const lines = readData(VOCABULARY).toString().trimEnd().split('\n');
  lines.forEach((line, token) => {
    if (line.startsWith(CONTINUES)) add(continuations, line.slice(CONTINUES.length), token);
    else add(beginnings, line, token);
  });
  return { beginnings, continuations, seen: new Map() };
}

function add(pieces: Pieces, piece: string, token: number): void {
  pieces.known.set(piece, token);
  pieces.longest = Math.max(pieces.longest, piece.length);
}

/** Splits a word into tokens: the longest piece at the start, then repeatedly the longest continuation. */
export function tokensOf(word: string, vocabulary: Vocabulary): readonly number[] {
  const { seen } = vocabulary;
  const known = seen.get(word);
  if (known !== undefined) return known;
  const tokens = splitIntoTokens(word, vocabulary);
  if (word.length > MAX_CACHED_LENGTH) return tokens;
  if (seen.size >= MAX_CACHED_WORDS) seen.clear();
  seen.set(word, tokens);
  return tokens;
}

function splitIntoTokens(word: string, { beginnings, continuations }: Vocabulary): number[] {
  if (isTooLong(word)) return [UNKNOWN];
  const tokens: number[] = [];
  for (let start = 0; start < word.length;) {
    const end = pushPiece(tokens, word, start, start === 0 ? beginnings : continuations);
    if (end === undefined) return [UNKNOWN];
    start = end;
  }
  return tokens;
}

function pushPiece(
  tokens: number[],
  word: string,
  start: number,
  { known, longest }: Pieces,
): number | undefined {
  for (let end = Math.min(word.length, start + longest); end > start; end -= 1) {
    const token = known.get(word.slice(start, end));
    if (token === undefined) continue;
    tokens.push(token);
    return end;
  }
  return undefined;
}

/** Returns true for a word with too many characters, each of which has one or two code units. */
function isTooLong(word: string): boolean {
  if (word.length <= MAX_WORD_LENGTH) return false;
  return word.length > 2 * MAX_WORD_LENGTH || Array.from(word).length > MAX_WORD_LENGTH;
}
