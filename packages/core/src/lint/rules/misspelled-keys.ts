import { ARTIFACT_KEYS, type FrontmatterKey } from '../../artifact/frontmatter-keys.ts';
import type { Artifact, Manifest } from '../../artifact/types.ts';
import { nearest } from '../../text/nearest.ts';
import { NOTHING, atField, type Finding } from '../finding.ts';

/** Letters that may be wrong in a key; with more it is another word. */
const MOST_SLIPS = 2;

/** `lint.misspelled_key`: a key of `ARTIFACT.md` that is nothing, and nearly something. */
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
 * The key a person most likely meant. Any key may stand in a manifest, so one that starts with `x-`,
 * or resembles only what another type has or what stands beside it anyway, is taken for what it says.
 */
export function nearestKey(
  key: string,
  { values }: Manifest,
  known: ReadonlyMap<string, FrontmatterKey>,
  type: string,
): string | undefined {
  return key.startsWith('x-')
    ? undefined
    : nearest(key, missingKeys(values, known, type), MOST_SLIPS);
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
