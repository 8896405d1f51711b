import { ARTIFACT_KEYS, type FrontmatterKey } from '../../artifact/frontmatter-keys.ts';
import type { Artifact, Manifest } from '../../artifact/types.ts';
import { nearest } from '../../text/nearest.ts';
import { NOTHING, atField, type Finding } from '../finding.ts';

const MAX_TYPO_EDITS = 2;

export function misspelledKeys({ manifest, type }: Artifact): readonly Finding[] {
  if (manifest === undefined) return NOTHING;
  let found: Finding[] | undefined;
  for (const key in manifest.values) {
    if (ARTIFACT_KEYS.has(key)) continue;
    const meant = nearestKey(key, manifest, ARTIFACT_KEYS, type);
    if (meant === undefined) continue;
    (found ??= []).push({
      code: 'lint.misspelled_key',
      message: `Unknown key \`${key}\`.`,
      fix: `Did you mean \`${meant}\`?`,
      place: atField(manifest, key),
    });
  }
  return found ?? NOTHING;
}

/**
 * Returns the key that an unknown key most likely means. Keys that start with `x-` are custom. Keys of other types and
 * existing keys are not suggested.
 */
export function nearestKey(
  key: string,
  { values }: Manifest,
  known: ReadonlyMap<string, FrontmatterKey>,
  type: string,
): string | undefined {
  return key.startsWith('x-')
    ? undefined
    : nearest(key, missingKeys(values, known, type), MAX_TYPO_EDITS);
}

function* missingKeys(
  values: Manifest['values'],
  known: ReadonlyMap<string, FrontmatterKey>,
  type: string,
): Iterable<string> {
  for (const { name, types } of known.values()) {
    const isMeantFor: readonly string[] | undefined = types;
    if (isMeantFor?.includes(type) !== false && !Object.hasOwn(values, name)) yield name;
  }
}
