const PLAIN = /^[\w@%+=:,./-]+$/;

/** Quotes a word for every POSIX shell and for `shlex`. */
export function quoteWord(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * Quotes a word for a file in which the product expands `$NAME`. A pair of quotes after each dollar sign prevents that,
 * and a shell reads the same word.
 */
export function quoteUnexpanded(word: string): string {
  return quoteWord(word).replaceAll('$', () => "$''");
}
