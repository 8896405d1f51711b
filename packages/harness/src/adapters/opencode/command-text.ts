import type { Artifact } from '@catalog/core/artifact/types';
import { modelsOf, type TakenKeys } from '../../place/narrowing-keys.ts';
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

/** The keys of an author that come to something in a command. */
export const COMMAND_KEYS: TakenKeys = { model: modelsOf(providerModel) };
