import type { Json, JsonObject } from '../json.ts';

/**
 * Where served frontmatter still names one of the artifacts it was merged from: the way to the value,
 * or to the mapping whose key it is; undefined where it names none.
 *
 * A parent may be hidden from whoever reads the child, so its id may not come back through a merge
 * key, an anchor's alias or a field (specification, Inheritance rules 5). Only a whole value counts,
 * without a pin, spaces and slashes around it; prose may mention anything.
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
