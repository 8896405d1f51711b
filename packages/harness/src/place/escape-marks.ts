/** Everything that a reader can treat as `<`: similar characters and escapes. */
const OPENER =
  /[<\u02C2\u1438\u16B2\u2039\u227A\u2329\u276E\u27E8\u3008\uFE64\uFF1C\u{1D236}]|&(?:lt|#0*60|#x0*3c)(?![\da-z])|\\(?:u003c|u\{0*3c\}|x3c)|%3c/giu;

const OPENER_HERE = new RegExp(OPENER.source, 'iuy');

const MAX_LETTERS = 'beginimported'.length;

const MARK_NAME = /^(?:untrusted|beginimported|endimported)/;

/**
 * Escapes marks, so that imported text cannot end its own or begin another. Ignores case, spaces, punctuation,
 * invisible characters, entities, and similar characters.
 */
export function escapeMarks(text: string): string {
  return text.replace(OPENER, (opener: string, index: number) =>
    MARK_NAME.test(lettersAfter(text, index + opener.length)) ? escapeFirst(opener) : opener,
  );
}

function escapeFirst(opener: string): string {
  const [first = '', ...rest] = opener;
  if (first === '<') return '&lt;';
  if (first === '&') return `&amp;${rest.join('')}`;
  return `&#x${(first.codePointAt(0) ?? 0).toString(16)};${rest.join('')}`;
}

const ESCAPED =
  /&#(?<decimal>\d{1,7});?|&#x(?<entity>[\da-f]{1,6});?|\\u(?<unicode>[\da-f]{4})|\\u\{(?<braced>[\da-f]{1,6})\}|\\x(?<hex>[\da-f]{2})|%(?<percent>[\da-f]{2})|&(?:shy|zwj|zwnj|nbsp|tab|newline|sol|excl|hyphen|dash|lowbar);?/iuy;

/** Returns the letters from `start` to the next mark, in lowercase. */
function lettersAfter(text: string, start: number): string {
  let letters = '';
  let index = start;
  while (letters.length < MAX_LETTERS && index < text.length) {
    OPENER_HERE.lastIndex = index;
    if (OPENER_HERE.test(text)) break;
    const { character, length } = readCharacter(text, index);
    letters += foldLetters(character);
    index += length;
  }
  return letters;
}

function readCharacter(text: string, index: number): { character: string; length: number } {
  const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
  if (!'&\\%'.includes(character)) return { character, length: character.length };
  ESCAPED.lastIndex = index;
  const match = ESCAPED.exec(text);
  if (match === null) return { character, length: 1 };
  return { character: decode(match.groups ?? {}), length: match[0].length };
}

function decode(groups: Readonly<Record<string, string | undefined>>): string {
  const { decimal, entity, unicode, braced, hex, percent } = groups;
  const digits = entity ?? unicode ?? braced ?? hex ?? percent ?? '';
  const code = decimal === undefined ? Number.parseInt(digits, 16) : Number(decimal);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
}

/** Returns plain ASCII for similar characters. */
function foldLetters(character: string): string {
  const plain =
    character <= '\u007F' ? character.toLowerCase() : character.normalize('NFKD').toLowerCase();
  let letters = '';
  for (const one of plain) {
    if (/[a-z]/.test(one) && one !== 'l') letters += one;
    else letters += LOOK_ALIKES.get(one) ?? '';
  }
  return letters;
}

const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аɑα4',
    b: 'ЬƄь',
    d: 'ԁɗ',
    e: 'еєҽε3',
    g: 'ɡց',
    i: 'іıɩιӏl|1',
    m: 'мᴍ',
    n: 'пոηɴ',
    o: 'оοσօ0',
    p: 'рρ',
    r: 'гʀᴦ',
    s: 'ѕʂꜱ5',
    t: 'тτᴛ',
    u: 'υսᴜ',
  }).flatMap(([letter, alike]) => Array.from(alike, (one): [string, string] => [one, letter])),
);
