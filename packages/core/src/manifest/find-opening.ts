const PAIRS = [
  ['"', '"'],
  ["'", "'"],
  ['[', ']'],
  ['{', '}'],
] as const;

/** What stands before a sign that opens something; after a letter it is part of a word. */
const BEFORE_OPENING = /[\s,[{:]/;

/**
 * The quote or bracket before `end` that nothing closes, the last of them; undefined where there is
 * none to be seen. For an error message: it looks at signs and not at YAML.
 */
export function findOpening(source: string, end: number): number | undefined {
  let found = -1;
  for (const [open, close] of PAIRS) {
    const opening = source.lastIndexOf(open, end - 1);
    const isClosed = open !== close && source.lastIndexOf(close, end - 1) > opening;
    const isWord = opening > 0 && !BEFORE_OPENING.test(source.charAt(opening - 1));
    if (!isClosed && !isWord) found = Math.max(found, opening);
  }
  return found === -1 ? undefined : found;
}
