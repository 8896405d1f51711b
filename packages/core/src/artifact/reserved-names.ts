export type ReservedName = '.git' | '.hg' | '.svn' | '.jj' | '.catalog';

const RESERVED: readonly ReservedName[] = ['.git', '.hg', '.svn', '.jj', '.catalog'];

/** Fast pre-check: a reserved spelling has a leading dot, a tilde, or a character beyond ASCII. */
const POSSIBLE = /^\.|~|[^\0-\x7f]/;
const NON_ASCII = /[^\0-\x7f]/;

/** Code points that HFS+ and case-insensitive ext4 ignore when they compare names. */
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;

/** A stream and its type, which Windows drops from the end of a name before dots and spaces. */
const STREAM = /:.*$/s;
const DOTS_AND_SPACES = /[. ]+$/;

/**
 * Short names of NTFS and FAT: up to six characters of the name without its dot, or two of them and
 * four hex digits, then a number.
 */
const SHORT_NAME = /^(?:(git|hg|svn|jj|catalo)|(gi|hg|sv|jj|ca)[0-9a-f]{4})~[0-9]+$/;

/**
 * Returns the reserved directory that a name can lead to on any supported file system, or undefined.
 * The spellings are those that git refuses to check out, and those that further file systems add:
 * letters of any case, full-width letters, ignored code points, trailing dots and spaces, streams, and
 * short names.
 */
export function reservedName(name: string): ReservedName | undefined {
  if (!POSSIBLE.test(name)) return undefined;
  const plain = fold(name).replace(STREAM, '').replace(DOTS_AND_SPACES, '');
  const [, short, hashed] = SHORT_NAME.exec(plain) ?? [];
  const start = short ?? hashed;
  return RESERVED.find((reserved) =>
    start === undefined ? reserved === plain : reserved.startsWith(`.${start}`),
  );
}

export function versionControlName(name: string): ReservedName | undefined {
  const found = reservedName(name);
  return found === '.catalog' ? undefined : found;
}

/**
 * Lowercases a name through upper case, so that letters with several forms become equal, such as
 * `ſ` and `s`.
 */
function fold(name: string): string {
  if (!NON_ASCII.test(name)) return name.toLowerCase();
  const plain = name.replaceAll(IGNORED, '').normalize('NFKC').replaceAll(IGNORED, '');
  return plain.toUpperCase().toLowerCase();
}
