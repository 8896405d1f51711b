import type { Artifact } from '@catalog/core/artifact/types';
import { isJsonObject, type JsonObject } from '@catalog/core/json';
import { projectDocument as project, type ProjectedKey } from './place/project-frontmatter.ts';
import { tomlDocument as writeToml } from './place/toml-text.ts';

/** `projectDocument` for code that no compiler has looked at. */
export function projectDocument(
  artifact: Artifact,
  keys: readonly ProjectedKey[],
  prose?: string,
): string {
  const isPairs =
    Array.isArray(keys) &&
    keys.every((pair: unknown) => Array.isArray(pair) && typeof pair[0] === 'string');
  if (!isPairs) {
    throw new TypeError(
      "kit.projectDocument takes the artifact and a list of pairs, [['name', value], ...]",
    );
  }
  if (prose !== undefined && typeof prose !== 'string') {
    throw new TypeError('kit.projectDocument takes a string as its prose');
  }
  return prose === undefined ? project(artifact, keys) : project(artifact, keys, prose);
}

/** `tomlDocument` for such code. */
export function tomlDocument(members: JsonObject): string {
  if (!isJsonObject(members)) {
    throw new TypeError('kit.tomlDocument takes an object, {name: value, ...}');
  }
  return writeToml(members);
}
