import type { Artifact } from '@catalog/core/artifact/types';
import type { Json } from '@catalog/core/json';
import { alone, markedBody } from './document-text.ts';
import { yamlMembers } from './yaml-text.ts';

/** A key of a product's own frontmatter; left out where the artifact has nothing to say there. */
export type ProjectedKey = readonly [key: string, value: Json | undefined];

/**
 * A document as a product that does not know the canonical keys reads it: its own keys in the order
 * given, then the prose of the artifact, what was imported in it marked as data. Without a key there is no
 * frontmatter.
 */
export function projectDocument(
  artifact: Artifact,
  keys: readonly ProjectedKey[],
  prose: string = markedBody(artifact),
): string {
  const given = givenKeys(keys);
  return given.length === 0 ? alone(prose) : `---\n${yamlMembers(given)}---\n${prose}`;
}

/** The keys that have a value; an empty text says nothing. */
export function givenKeys(keys: readonly ProjectedKey[]): [string, Json][] {
  return keys.filter((pair): pair is [string, Json] => pair[1] !== undefined && pair[1] !== '');
}

/** What the author wrote under a key that is not canonical, such as `model` or `tools`. */
export function authoredValue({ manifest }: Artifact, key: string): Json | undefined {
  return manifest?.values[key];
}

/** A text the author wrote under such a key. */
export function authoredText(artifact: Artifact, key: string): string | undefined {
  const value = authoredValue(artifact, key);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Names the author wrote under such a key, as a list or with commas between: `Read, Bash(git *)`. */
export function authoredNames(artifact: Artifact, key: string): string[] | undefined {
  const value = authoredValue(artifact, key);
  if (typeof value === 'string') return splitNames(value);
  if (!Array.isArray(value)) return undefined;
  return value.filter((name): name is string => typeof name === 'string' && name !== '');
}

/** A comma inside parentheses belongs to its name: `Bash(git add, git commit)`. */
const BETWEEN_NAMES = /,(?![^(]*\))/;

function splitNames(list: string): string[] {
  return list
    .split(BETWEEN_NAMES)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** A number the author wrote under such a key. */
export function authoredNumber(artifact: Artifact, key: string): number | undefined {
  const value = authoredValue(artifact, key);
  return typeof value === 'number' ? value : undefined;
}

/** A positive integer the author wrote under such a key. */
export function authoredCount(artifact: Artifact, key: string): number | undefined {
  const value = authoredNumber(artifact, key);
  return value !== undefined && Number.isInteger(value) && value > 0 ? value : undefined;
}

/** Names of the maximum number of turns of an agent. */
export const TURN_KEYS = ['maxTurns', 'max_turns', 'steps'];

/** The maximum number of turns of an agent, by the name of any product. */
export function authoredTurns(artifact: Artifact): number | undefined {
  return TURN_KEYS.map((key) => authoredCount(artifact, key)).find((turns) => turns !== undefined);
}
