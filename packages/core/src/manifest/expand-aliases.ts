import type { Json, JsonObject } from '../json.ts';
import { MAX_DEPTH } from './pre-scan.ts';

/** Maximum number of values and characters after aliases are expanded. */
const MAX_VALUES = 10_000;
const MAX_CHARACTERS = 1_048_576;

interface Budget {
  values: number;
  characters: number;
}

/**
 * Copies every aliased value. The parser shares these objects, so nine lines of ten aliases become a billion values in
 * a walk. Returns undefined above the limits.
 */
export function expandAliases(root: Json): Json | undefined {
  const budget = { values: MAX_VALUES, characters: MAX_CHARACTERS };
  return copyValue(root, 0, budget);
}

function copyObject(value: JsonObject, depth: number, budget: Budget): JsonObject | undefined {
  const copy: JsonObject = Object.create(null);
  for (const key of Object.keys(value)) {
    budget.characters -= key.length;
    const member = copyValue(value[key] ?? null, depth, budget);
    if (member === undefined) return undefined;
    copy[key] = member;
  }
  return copy;
}

function copyValue(value: Json, depth: number, budget: Budget): Json | undefined {
  budget.values -= 1;
  if (typeof value === 'string') budget.characters -= value.length;
  if (budget.values < 0 || budget.characters < 0) return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return undefined;
  return Array.isArray(value)
    ? copyArray(value, depth + 1, budget)
    : copyObject(value, depth + 1, budget);
}

function copyArray(values: readonly Json[], depth: number, budget: Budget): Json[] | undefined {
  const copy: Json[] = [];
  for (const value of values) {
    const item = copyValue(value, depth, budget);
    if (item === undefined) return undefined;
    copy.push(item);
  }
  return copy;
}
