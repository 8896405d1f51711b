import type { Json, JsonObject } from '../json.ts';

/**
 * Finds a value or key in the frontmatter that names a merged artifact. Only whole values count. A reader of the child
 * may not see the parent, so its id must not remain through a merge key, alias or anchor (specification, Inheritance
 * rules 5).
 */
export function findNamedParent(
  values: JsonObject,
  parents: ReadonlySet<string>,
): readonly (string | number)[] | undefined {
  return find(values, parents, []);
}

function find(
  value: Json,
  parents: ReadonlySet<string>,
  path: readonly (string | number)[],
): readonly (string | number)[] | undefined {
  if (typeof value !== 'object' || value === null) {
    return names(String(value), parents) ? path : undefined;
  }
  for (const [key, member] of Object.entries(value)) {
    const isItem = Array.isArray(value);
    if (!isItem && names(key, parents)) return path;
    const found = find(member, parents, [...path, isItem ? Number(key) : key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function names(text: string, parents: ReadonlySet<string>): boolean {
  const sign = text.indexOf('@');
  let end = sign === -1 ? text.length : sign;
  let start = 0;
  while (start < end && isEdge(text.charAt(start))) start += 1;
  while (end > start && isEdge(text.charAt(end - 1))) end -= 1;
  return parents.has(text.slice(start, end));
}

function isEdge(character: string): boolean {
  return character === '/' || character.trim() === '';
}
