/**
 * Returns true if a JSON object has a repeated member: parsers disagree on its value, so a token could have two
 * meanings.
 */
export function hasDuplicateMembers(json: string): boolean {
  /** Member names of each open object; undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  // Strings are matched as a whole, so that their content does not count as structure.
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"\s*:?|[[\]{}]/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token.endsWith(':')) {
      const names = open.at(-1);
      // Names are unescaped before the comparison: `"sub"` and `"\u0073ub"` are equal.
      const name: unknown = JSON.parse(token.slice(0, -1));
      if (names === undefined || typeof name !== 'string') continue;
      if (names.has(name)) return true;
      names.add(name);
    }
  }
  return false;
}
