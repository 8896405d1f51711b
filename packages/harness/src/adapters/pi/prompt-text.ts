import type { Artifact } from '@catalog/core/artifact/types';
import { authoredText, projectDocument } from '../../place/project-frontmatter.ts';

/** A prompt template with the keys Pi knows; its placeholders are the canonical ones. */
export function promptText(artifact: Artifact): string {
  return projectDocument(artifact, [
    ['description', artifact.description],
    ['argument-hint', authoredText(artifact, 'argument-hint')],
  ]);
}
