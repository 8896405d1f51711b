import { ARTIFACT_KEYS } from '../../artifact/frontmatter-keys.ts';
import type { Artifact } from '../../artifact/types.ts';
import { NOTHING, atField, type Finding } from '../finding.ts';

export function hints({ fields, manifest, type }: Artifact): readonly Finding[] {
  if (fields.effort_hint === undefined && fields.model_class_hint === undefined) return NOTHING;
  if (manifest === undefined) return NOTHING;
  const found: Finding[] = [];
  for (const key of ['effort_hint', 'model_class_hint'] as const) {
    const types: readonly string[] = ARTIFACT_KEYS.get(key)?.types ?? [];
    if (fields[key] === undefined || types.includes(type)) continue;
    found.push({
      code: 'lint.hint_on_unsupported_type',
      message: `\`${key}\` has no effect on the type \`${type}\`.`,
      place: atField(manifest, key),
    });
  }
  return found;
}
