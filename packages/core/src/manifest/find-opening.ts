const PAIRS = [
  ['"', '"'],
  ["'", "'"],
  ['[', ']'],
  ['{', '}'],
] as const;

/** Characters before an opening quote or bracket. After a letter, it belongs to a word. */
const BEFORE_OPENING = /[\s,[{:]/;

/** Finds the last opening quote or bracket, for error messages. Does not parse YAML. */
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
