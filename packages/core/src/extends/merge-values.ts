import type { FrontmatterKey, MergeRule } from '../artifact/frontmatter-keys.ts';
import { SANDBOX_PROFILES, SENSITIVITIES } from '../artifact/types.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';

type Value = Json | undefined;

/**
 * Merges the frontmatter of a parent into that of a child. Extension keys use the rule `child`. Merging a chain from
 * either end has the same result.
 */
export function mergeValues(
  child: JsonObject,
  parent: JsonObject,
  keys: ReadonlyMap<string, Pick<FrontmatterKey, 'merge'>>,
): JsonObject {
  const merged: JsonObject = Object.create(null);
  for (const key of new Set([...Object.keys(child), ...Object.keys(parent)])) {
    const rule = keys.get(key)?.merge ?? 'child';
    const value = MERGE_RULES[rule](child[key], parent[key]);
    if (value !== undefined) merged[key] = value;
  }
  return merged;
}

const MERGE_RULES: Readonly<Record<MergeRule, (child: Value, parent: Value) => Value>> = {
  child: childElseParent,
  own: (child) => child,
  version: (child) => child,
  // Child and parent always have the same type.
  type: (child) => child,
  removed: () => undefined,
  deprecated: (child, parent) => (parent === true ? parent : childIfDefined(child, parent)),
  union,
  concat,
  intersection,
  'max-sensitivity': (child, parent) => stricter(child, parent, SENSITIVITIES),
  'max-sandbox': (child, parent) => stricter(child, parent, SANDBOX_PROFILES),
  'direct-only': (child, parent) =>
    parent === 'direct-only' ? parent : childElseParent(child, parent),
  'mcp-servers': mergeServers,
  'runtime-requirements': (child, parent) => mergeMembers(child, parent, REQUIREMENT_MEMBERS),
};

function childElseParent(child: Value, parent: Value): Value {
  return isEmpty(child) && !isEmpty(parent) ? parent : childIfDefined(child, parent);
}

/** Returns the child's value if the key exists, even if it is empty. */
function childIfDefined(child: Value, parent: Value): Value {
  return child === undefined ? parent : child;
}

function isEmpty(value: Value): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function concat(child: Value, parent: Value): Value {
  return Array.isArray(child) && Array.isArray(parent)
    ? [...parent, ...child]
    : childElseParent(child, parent);
}

/** Returns the entries that both lists contain. An absent list contains everything. */
function intersection(child: Value, parent: Value): Value {
  if (!Array.isArray(child)) return parent ?? child;
  if (!Array.isArray(parent)) return child;
  const allowed = new Set(parent.map(textOf));
  return child.filter((entry) => allowed.has(textOf(entry)));
}

function union(child: Value, parent: Value): Value {
  const all = concat(child, parent);
  if (!Array.isArray(all)) return all;
  const unique = new Map<string, Json>();
  for (const entry of all) {
    const text = textOf(entry);
    if (!unique.has(text)) unique.set(text, entry);
  }
  return [...unique.values()];
}

/** Converts an entry to a string. Numbers keep the spelling of the author. */
function textOf(entry: Json): string {
  return typeof entry === 'object' ? JSON.stringify(entry) : String(entry);
}

/** Returns the stricter value; `order` starts with the most permissive one. Unknown values count as weakest. */
function stricter(child: Value, parent: Value, order: readonly string[]): Value {
  const rank = (value: Value): number => (typeof value === 'string' ? order.indexOf(value) : -1);
  return rank(parent) > rank(child) ? parent : childIfDefined(child, parent);
}

/** Merges servers by name: in the order of the parent, with members of the child, then new servers. */
function mergeServers(child: Value, parent: Value): Value {
  const all = concat(child, parent);
  if (!Array.isArray(all)) return all;
  const servers = new Map<string, Json>();
  for (const server of all) {
    const name = textOf((isJsonObject(server) ? server['name'] : server) ?? null);
    const merged = mergeMembers(server, servers.get(name), SERVER_MEMBERS);
    servers.set(name, merged ?? server);
  }
  return [...servers.values()];
}

/** Rules by member name. A map, because authors choose the names. */
type MemberRules = ReadonlyMap<string, (child: Value, parent: Value) => Value>;

const SERVER_MEMBERS: MemberRules = new Map([
  ['env', mergeMaps],
  ['headers', mergeMaps],
]);

const REQUIREMENT_MEMBERS: MemberRules = new Map([['system_packages', union]]);

/** Merges maps member by member. The child's member applies unless it is empty or has another rule. */
function mergeMembers(child: Value, parent: Value, rules: MemberRules): Value {
  return mergeObjects(child, parent, (key) => rules.get(key) ?? childElseParent);
}

/** Merges maps of strings, in which an empty string is a value. */
function mergeMaps(child: Value, parent: Value): Value {
  return mergeObjects(child, parent, () => childIfDefined);
}

function mergeObjects(
  child: Value,
  parent: Value,
  ruleOf: (key: string) => (child: Value, parent: Value) => Value,
): Value {
  if (!isJsonObject(child) || !isJsonObject(parent)) return childElseParent(child, parent);
  const merged: JsonObject = Object.create(null);
  for (const key of new Set([...Object.keys(parent), ...Object.keys(child)])) {
    const value = ruleOf(key)(child[key], parent[key]);
    if (value !== undefined) merged[key] = value;
  }
  return merged;
}
