import type { Artifact } from '@catalog/core/artifact/types';
import { authoredText, authoredValue, projectDocument } from '../../place/project-frontmatter.ts';
import { providerModel } from './agent-text.ts';

/** A command with the keys OpenCode knows. */
export function commandText(artifact: Artifact): string {
  const subtask = authoredValue(artifact, 'subtask');
  return projectDocument(artifact, [
    ['description', artifact.description],
    ['agent', authoredText(artifact, 'agent')],
    ['model', providerModel(artifact)],
    ['subtask', typeof subtask === 'boolean' ? subtask : undefined],
  ]);
}
