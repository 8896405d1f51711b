const PLAIN = /^[\w@%+=:,./~-]+$/;

export function shellWord(text: string): string {
  if (PLAIN.test(text)) return text;
  // A quoted `~` would not be expanded.
  if (text.startsWith('~/')) return `~/${shellWord(text.slice('~/'.length))}`;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
