/** Parsers disagree on the value of a repeated member, so one token could have two meanings. */
export function hasDuplicateMembers(json: string): boolean {
  /** Member names of each open object; undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  // Matches whole strings, so that their content is not mistaken for structure.
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"\s*:?|[[\]{}]/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token.endsWith(':')) {
      const names = open.at(-1);
      // Compares unescaped names: `"sub"` and `"\u0073ub"` are the same.
      const name: unknown = JSON.parse(token.slice(0, -1));
      if (names === undefined || typeof name !== 'string') continue;
      if (names.has(name)) return true;
      names.add(name);
    }
  }
  return false;
}
