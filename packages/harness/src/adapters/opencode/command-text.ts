import type { Artifact } from '@catalog/core/artifact/types';
import type { ArgumentForm } from '../../place/command-arguments.ts';
import { modelsOf, type TakenKeys } from '../../place/authored-keys.ts';
import { authoredText, authoredValue, projectDocument } from '../../place/project-frontmatter.ts';
import { providerModel } from './agent-text.ts';

/** A command with the keys OpenCode knows. */
function commandText(artifact: Artifact): string {
  const subtask = authoredValue(artifact, 'subtask');
  return projectDocument(artifact, [
    ['description', artifact.description],
    ['agent', authoredText(artifact, 'agent')],
    ['model', providerModel(artifact)],
    ['subtask', typeof subtask === 'boolean' ? subtask : undefined],
  ]);
}

/** OpenCode replaces every `$` with digits after it, and has no way to escape one. */
const ARGUMENTS: ArgumentForm = {
  all: '$ARGUMENTS',
  position: (n) => `$${n}`,
  amount: '$ ',
};

/** What the commands of a project and of a person have in common. */
export const COMMAND = {
  render: commandText,
  takes: {
    agent: 'native',
    model: modelsOf(providerModel),
    subtask: 'native',
  } satisfies TakenKeys,
  arguments: ARGUMENTS,
};
