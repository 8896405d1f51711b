export type ReservedName = '.git' | '.hg' | '.svn' | '.jj' | '.catalog';

const RESERVED: readonly ReservedName[] = ['.git', '.hg', '.svn', '.jj', '.catalog'];

/** Fast check before exact ones: a reserved spelling has a leading dot, a tilde, or a character beyond ASCII. */
const POSSIBLE = /^\.|~|[^\0-\x7f]/;
const NON_ASCII = /[^\0-\x7f]/;

/** Code points that HFS+ and case-insensitive ext4 ignore in names. */
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;

/** Name of an NTFS stream, which Windows removes from the end of a file name. */
const STREAM = /:.*$/s;
const DOTS_AND_SPACES = /[. ]+$/;

/** Short names of NTFS and FAT: up to six characters of the name, or two of them and four hex digits, then a number. */
const SHORT_NAME = /^(?:(git|hg|svn|jj|catalo)|(gi|hg|sv|jj|ca)[0-9a-f]{4})~[0-9]+$/;

/**
 * Returns the reserved directory, such as `.git`, that a name can lead to on a supported file system; undefined if
 * none. Covers all spellings that git rejects, and those of other file systems: case, full-width letters, ignored code
 * points, trailing dots and spaces, streams, and short names.
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

/** Lowercases a name through upper case, so that equivalent letters such as `ſ` and `s` become equal. */
function fold(name: string): string {
  if (!NON_ASCII.test(name)) return name.toLowerCase();
  const plain = name.replaceAll(IGNORED, '').normalize('NFKC').replaceAll(IGNORED, '');
  return plain.toUpperCase().toLowerCase();
}
