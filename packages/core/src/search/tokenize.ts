import { isAscii } from '../text/is-ascii.ts';
import { DEFAULT_LANGUAGE, LANGUAGES, type SearchLanguage } from './language.ts';

/** Combining accents. Marks of other scripts have a meaning and are kept. */
const ACCENTS = /[\u0300-\u036F]/g;

const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ς: 'σ',
};
const LETTERS_TO_PLAIN = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');

/** Normalizes compatible forms and removes accents. Uppercase letters stay, because they separate words. */
function foldForms(text: string): string {
  return text.normalize('NFKD').replace(ACCENTS, '').normalize('NFC');
}

function foldCase(text: string): string {
  return text.toLowerCase().replace(LETTERS_TO_PLAIN, (letter) => PLAIN[letter] ?? letter);
}

const MAX_TERM_LENGTH = 64;
const MAX_TEXT_LENGTH = 65_536;

const ASCII_WORDS = /[A-Za-z0-9]+(?:'[A-Za-z0-9]+)*/g;
const WORDS = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*/gu;
const POSSESSIVE = /['’][sS]$/;
const APOSTROPHES = /['’]/g;
/** Boundaries in words such as `parseInvoice`, `HTTPServer` and `sha256`. */
const PART_STARTS =
  /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;
const MAY_HAVE_PARTS = /[a-z0-9][A-Z]|[A-Z]{2}[a-z]|[A-Za-z][0-9]|[0-9][A-Za-z]|[^\0-\x7F]/;
/** Scripts without spaces between words, and Korean, which attaches particles to words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+/u;

export interface Token {
  /** Word in lowercase without accents, not stemmed. */
  word: string;
  terms: readonly string[];
  length: number;
}

/** Splits text into tokens, for queries and documents alike except for single characters. */
export function tokenize(
  text: string,
  side: 'document' | 'query',
  language: SearchLanguage = DEFAULT_LANGUAGE,
): Token[] {
  const spaced = (match: string): Token => spacedToken(match, language);
  const bounded = text.length > MAX_TEXT_LENGTH ? text.slice(0, MAX_TEXT_LENGTH) : text;
  if (isAscii(bounded)) return bounded.match(ASCII_WORDS)?.map(spaced) ?? [];
  const matches = foldForms(bounded).match(WORDS) ?? [];
  return matches.flatMap((match) =>
    UNSPACED.test(match) ? mixedTokens(match, side, spaced) : spaced(match),
  );
}

/** Cache of known words, because texts repeat words and stemming takes a microsecond. */
const known: Readonly<Record<SearchLanguage, Map<string, Token>>> = {
  english: new Map(),
  none: new Map(),
};
const MAX_CACHED = 50_000;
const NINE = 0x39;

function spacedToken(match: string, language: SearchLanguage): Token {
  const tokens = known[language];
  const seen = tokens.get(match);
  if (seen !== undefined) return seen;
  const token = readToken(match, language);
  // Numbers rarely repeat and are not cached.
  if (match.charCodeAt(0) <= NINE) return token;
  if (tokens.size >= MAX_CACHED) tokens.clear();
  tokens.set(match, token);
  return token;
}

function readToken(match: string, language: SearchLanguage): Token {
  const { stem } = LANGUAGES[language];
  const bare = match.replace(POSSESSIVE, '').replace(APOSTROPHES, '');
  const word = cut(foldCase(bare));
  const terms = [stem(word)];
  if (MAY_HAVE_PARTS.test(bare)) {
    for (const part of bare.split(PART_STARTS)) {
      const term = stem(cut(foldCase(part)));
      if (part.length > 1 && !terms.includes(term)) terms.push(term);
    }
  }
  return { word, terms, length: 1 };
}

function mixedTokens(
  match: string,
  side: 'document' | 'query',
  spaced: (match: string) => Token,
): Token[] {
  const tokens: Token[] = [];
  let rest = match;
  for (let run = UNSPACED.exec(rest); run !== null; run = UNSPACED.exec(rest)) {
    const before = rest.slice(0, run.index);
    if (before !== '') tokens.push(spaced(before));
    tokens.push(unspacedToken(run[0], side));
    rest = rest.slice(run.index + run[0].length);
  }
  return rest === '' ? tokens : [...tokens, spaced(rest)];
}

/** Splits text without spaces into pairs of characters; documents also get single ones. */
function unspacedToken(run: string, side: 'document' | 'query'): Token {
  const characters = Array.from(run.toLowerCase());
  const pairs = characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  const terms = side === 'document' || pairs.length === 0 ? [...characters, ...pairs] : pairs;
  return { word: run, terms, length: characters.length };
}

function cut(word: string): string {
  return word.length > MAX_TERM_LENGTH ? word.slice(0, MAX_TERM_LENGTH).toWellFormed() : word;
}
