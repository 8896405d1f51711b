import type { Artifact } from '@catalog/core/artifact/types';
import type { PlaceContext } from '../../adapter.ts';
import { projectDocument } from '../../place/project-frontmatter.ts';

/** A command with the keys Cursor knows. */
export function commandText(artifact: Artifact, { name }: PlaceContext): string {
  return projectDocument(artifact, [
    ['name', name],
    ['description', artifact.description],
  ]);
}
