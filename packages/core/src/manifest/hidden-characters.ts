/**
 * Characters a person does not see but a model or a terminal obeys: control characters, directional
 * overrides, the Unicode tag block, a byte order mark that is not at the start. They have no honest
 * use in a manifest. A carriage return counts unless a line feed follows: alone it makes a terminal
 * write over the line it stands on.
 */
const HIDDEN = /[[\p{Cc}\u202A-\u202E\u2066-\u2069\uFEFF\u{E0000}-\u{E007F}]--[\t\n\r]]|\r(?!\n)/gv;

/** Most manifests hold nothing else, and looking for this is three times cheaper. */
const UNUSUAL = /[^ -~\t\n]/;

/** The flags of England, Scotland and Wales are spelled with tag characters and carry nothing else. */
const FLAGS = ['gbeng', 'gbsct', 'gbwls'].map((region) =>
  String.fromCodePoint(0x1f3f4, ...Array.from(`${region}\u007F`, (c) => 0xe0000 + c.charCodeAt(0))),
);
const FLAG_BASE_LENGTH = 2;

export interface HiddenCharacter {
  offset: number;
  /** For messages: `U+202E, which changes the direction of text`. */
  description: string;
}

/** The first hidden character; a byte order mark at the very start is not one. */
export function findHiddenCharacter(text: string): HiddenCharacter | undefined {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const unusual = text.search(UNUSUAL);
  if (unusual === -1) return undefined;
  HIDDEN.lastIndex = Math.max(start, unusual);
  for (let found = HIDDEN.exec(text); found !== null; found = HIDDEN.exec(text)) {
    const flagStart = found.index - FLAG_BASE_LENGTH;
    const flag = FLAGS.find((flag) => text.startsWith(flag, flagStart));
    if (flag === undefined) return { offset: found.index, description: describe(found[0]) };
    HIDDEN.lastIndex = flagStart + flag.length;
  }
  return undefined;
}

function describe(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  const name = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  if (codePoint === 0x0d) return `${name}, a carriage return without a line feed`;
  if (codePoint === 0xfeff) return `${name}, a byte order mark that is not at the start`;
  if (codePoint >= 0xe0000) return `${name}, a character of the invisible tag block`;
  if (codePoint >= 0x202a) return `${name}, which changes the direction of text`;
  return `${name}, a control character`;
}
