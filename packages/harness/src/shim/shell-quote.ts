const PLAIN = /^[\w@%+=:,./-]+$/;

/** For every POSIX shell and for `shlex`. */
export function quoteWord(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * For a file in which the product itself expands `$NAME`. A pair of quotes after each dollar sign
 * prevents that expansion, and a shell reads the same word.
 */
export function quoteUnexpanded(word: string): string {
  return quoteWord(word).replaceAll('$', () => "$''");
}
