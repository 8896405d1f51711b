const PLAIN = /^[\w@%+=:,./~-]+$/;

/** A text as one word of a command line that a person can paste: quoted where a shell would read more into it. */
export function shellWord(text: string): string {
  if (PLAIN.test(text)) return text;
  // Between quotes the sign for the home folder would be a letter.
  if (text.startsWith('~/')) return `~/${shellWord(text.slice('~/'.length))}`;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
