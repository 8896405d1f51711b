import type { Json, JsonObject } from '../json.ts';

/**
 * Finds where served frontmatter still names one of the artifacts it was merged from: the path of the
 * value, or of the mapping that has the id as a key; undefined if it names none.
 *
 * A caller who reads the child may not see the parent, so the id of a parent that was written through
 * a merge key, an alias or an anchor must not remain (specification, Inheritance rules 5). Only a
 * whole value counts, without its pin, spaces and slashes.
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
