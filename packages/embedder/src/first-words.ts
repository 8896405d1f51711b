/** Role of a character: part of a word. */
const PART = 1;
/** Role of a character: ends a word. */
const SPACE = 2;
/** Role of a character: ends a word and is a word itself. */
const ALONE = 3;
const IGNORED = 4;

const MARKS = /\p{Mn}/gu;
const ASCII_ONLY = /^[\0-\x7F]*$/;
const SPACES = /\s/;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}]/u;
/** Punctuation, with ASCII characters that Unicode classifies as symbols. */
const PUNCTUATION = /[!-/:-@[-`{-~\p{P}]/u;
/** Chinese characters that the model separates; Unicode has more. */
const CHINESE =
  /[\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B920}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/u;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BLANK = 0x20;
const REPLACEMENT = 0xfffd;
const LAST_OF_ONE_UNIT = 0xffff;

/** Role of each character. Unused pages of the array need no memory. */
const roles = new Uint8Array(0x110000);

/**
 * Returns the first words of a string, split like BERT: in lowercase without accents, with punctuation and Chinese
 * characters as separate words.
 */
export function firstWords(text: string, count: number): string[] {
  const plain = fold(text);
  const words: string[] = [];
  let word = '';
  let start = 0;
  for (let at = 0; at < plain.length && words.length < count;) {
    const character = plain.codePointAt(at) ?? 0;
    const next = character > LAST_OF_ONE_UNIT ? at + 2 : at + 1;
    const role = roles[character] || learnRole(character);
    if (role !== PART) {
      word += plain.slice(start, at);
      start = next;
    }
    if (role === SPACE || role === ALONE) {
      if (word !== '') words.push(word);
      if (role === ALONE) words.push(plain.slice(at, next));
      word = '';
    }
    at = next;
  }
  word += plain.slice(start);
  if (word !== '') words.push(word);
  return words.slice(0, count);
}

function fold(text: string): string {
  const bare = ASCII_ONLY.test(text) ? text : text.normalize('NFD').replace(MARKS, '');
  return bare.toLowerCase();
}

function learnRole(character: number): number {
  const role = roleOf(character);
  roles[character] = role;
  return role;
}

function roleOf(character: number): number {
  const text = String.fromCodePoint(character);
  if (isSpace(character, text)) return SPACE;
  if (character === REPLACEMENT || INVISIBLE.test(text)) return IGNORED;
  return PUNCTUATION.test(text) || CHINESE.test(text) ? ALONE : PART;
}

/** Returns true for a space, including the only control characters that separate words. */
function isSpace(character: number, text: string): boolean {
  if (character > BLANK) return SPACES.test(text);
  return (
    character === BLANK ||
    character === TAB ||
    character === LINE_FEED ||
    character === CARRIAGE_RETURN
  );
}
