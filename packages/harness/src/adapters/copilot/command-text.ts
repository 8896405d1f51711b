import type { Artifact } from '@catalog/core/artifact/types';
import type { PlaceContext, Untranslatable } from '../../adapter.ts';
import { authoredText, authoredValue, projectDocument } from '../../place/project-frontmatter.ts';

/** A command as the `SKILL.md` of a skill. Copilot ignores a skill without a description. */
export function commandText(artifact: Artifact, { name }: PlaceContext): string | Untranslatable {
  const { description } = artifact;
  if (description.trim() === '') {
    return { untranslatable: 'Copilot ignores a skill without a description; write one' };
  }
  return projectDocument(artifact, [
    ['name', name],
    ['description', description],
    ['argument-hint', authoredText(artifact, 'argument-hint')],
    ['disable-model-invocation', authoredValue(artifact, 'disable-model-invocation')],
  ]);
}
