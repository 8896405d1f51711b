import type { Artifact } from '@catalog/core/artifact/types';
import type { Json } from '@catalog/core/json';
import { asWholeFile, markedBody } from './document-text.ts';
import { yamlMembers } from './yaml-text.ts';

/** Key with its value; left out without one. */
export type ProjectedKey = readonly [key: string, value: Json | undefined];

/**
 * Renders the keys of a product in the given order, then the body with imported prose marked as data. Without keys
 * there is no frontmatter.
 */
export function projectDocument(
  artifact: Artifact,
  keys: readonly ProjectedKey[],
  prose: string = markedBody(artifact),
): string {
  const given = givenKeys(keys);
  return given.length === 0 ? asWholeFile(prose) : `---\n${yamlMembers(given)}---\n${prose}`;
}

/** Returns keys with a value; an empty string counts as none. */
export function givenKeys(keys: readonly ProjectedKey[]): [string, Json][] {
  return keys.filter((pair): pair is [string, Json] => pair[1] !== undefined && pair[1] !== '');
}

/** Returns the value of a key that is not canonical, such as `model` or `tools`. */
export function authoredValue({ manifest }: Artifact, key: string): Json | undefined {
  return manifest?.values[key];
}

/** Returns a string; undefined if it is empty. */
export function authoredText(artifact: Artifact, key: string): string | undefined {
  const value = authoredValue(artifact, key);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns names from a list or a string with commas: `Read, Bash(git *)`. */
export function authoredNames(artifact: Artifact, key: string): string[] | undefined {
  const value = authoredValue(artifact, key);
  if (typeof value === 'string') return splitNames(value);
  if (!Array.isArray(value)) return undefined;
  return value.filter((name): name is string => typeof name === 'string' && name !== '');
}

/** Comma between names, but not inside parentheses: `Bash(git add, git commit)`. */
const BETWEEN_NAMES = /,(?![^(]*\))/;

function splitNames(list: string): string[] {
  return list
    .split(BETWEEN_NAMES)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

export function authoredNumber(artifact: Artifact, key: string): number | undefined {
  const value = authoredValue(artifact, key);
  return typeof value === 'number' ? value : undefined;
}

export function authoredCount(artifact: Artifact, key: string): number | undefined {
  const value = authoredNumber(artifact, key);
  return value !== undefined && Number.isInteger(value) && value > 0 ? value : undefined;
}

export const TURN_KEYS = ['maxTurns', 'max_turns', 'steps'];

/** Returns the maximum number of turns, from the key of any product. */
export function authoredTurns(artifact: Artifact): number | undefined {
  return TURN_KEYS.map((key) => authoredCount(artifact, key)).find((turns) => turns !== undefined);
}
