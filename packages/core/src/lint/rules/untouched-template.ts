import { isPlaceholderDescription, PLACEHOLDER_PROSE } from '../../artifact/placeholders.ts';
import type { Artifact } from '../../artifact/types.ts';
import { NOTHING, atField, atOffset, bodyOffset, proseManifest, type Finding } from '../finding.ts';

const PROSE: ReadonlyMap<string, string> = new Map(Object.entries(PLACEHOLDER_PROSE));

export function untouchedTemplate(artifact: Artifact): readonly Finding[] {
  const manifest = proseManifest(artifact);
  if (manifest === undefined) return NOTHING;
  const found: Finding[] = [];
  for (const key of ['description', 'rule_description']) {
    const value = manifest.values[key];
    if (typeof value !== 'string' || !isPlaceholderDescription(value)) continue;
    found.push({
      code: 'lint.untouched_template',
      message: `\`${key}\` is still a placeholder.`,
      place: atField(manifest, key),
    });
  }
  const prose = PROSE.get(artifact.type);
  const offset = prose === undefined ? -1 : manifest.body.indexOf(prose);
  if (offset === -1) return found;
  found.push({
    code: 'lint.untouched_template',
    message: 'The text still contains a placeholder.',
    place: atOffset(manifest, bodyOffset(manifest) + offset),
  });
  return found;
}
