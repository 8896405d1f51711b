/**
 * Whether an object anywhere in a JSON text names a member twice. Parsers differ in which of the two
 * they take, so that one token could mean two things. The text is known to parse.
 */
export function hasDuplicateMembers(json: string): boolean {
  /** The names so far of each object that is open; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  // Strings whole, so that what stands in them is not taken for structure.
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"\s*:?|[[\]{}]/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token.endsWith(':')) {
      const names = open.at(-1);
      // One name has many spellings: `"sub"` and `"\u0073ub"` are the same.
      const name: unknown = JSON.parse(token.slice(0, -1));
      if (names === undefined || typeof name !== 'string') continue;
      if (names.has(name)) return true;
      names.add(name);
    }
  }
  return false;
}
