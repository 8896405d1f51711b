/** Words no shell reads anything into. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** A word as every POSIX shell, and `shlex`, reads it back. */
export function quoteWord(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * The same for a file whose reader replaces `$NAME` by itself: between quotes that end and begin
 * anew, the sign is none that such a reader knows, and for a shell it is the same word.
 */
export function quoteUnexpanded(word: string): string {
  return quoteWord(word).replaceAll('$', () => "$''");
}
