/**
 * Invisible characters that affect a model or a terminal and have no legitimate use in a manifest: control characters,
 * directional overrides, tags, and a byte order mark after the start. A carriage return counts unless a line feed
 * follows, because it makes a terminal overwrite the line.
 */
const HIDDEN = /[[\p{Cc}\u202A-\u202E\u2066-\u2069\uFEFF\u{E0000}-\u{E007F}]--[\t\n\r]]|\r(?!\n)/gv;

/** Fast check: most manifests contain only printable ASCII. */
const UNUSUAL = /[^ -~\t\n]/;

/** The flags of England, Scotland and Wales, the legitimate uses of tag characters. */
const FLAGS = ['gbeng', 'gbsct', 'gbwls'].map((region) =>
  String.fromCodePoint(0x1f3f4, ...Array.from(`${region}\u007F`, (c) => 0xe0000 + c.charCodeAt(0))),
);
const FLAG_BASE_LENGTH = 2;

export interface HiddenCharacter {
  offset: number;
  /** Description for messages, such as `U+202E, which changes the direction of text`. */
  description: string;
}

/** Finds an invisible character. A byte order mark is allowed at the start. */
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
