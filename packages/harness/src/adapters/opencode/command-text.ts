import type { Artifact } from '@catalog/core/artifact/types';
import type { ArgumentForm } from '../../place/command-arguments.ts';
import { modelsOf, type SupportedKeys } from '../../place/authored-keys.ts';
import { authoredText, authoredValue, projectDocument } from '../../place/project-frontmatter.ts';
import { providerModel } from './agent-text.ts';

function commandText(artifact: Artifact): string {
  const subtask = authoredValue(artifact, 'subtask');
  return projectDocument(artifact, [
    ['description', artifact.description],
    ['agent', authoredText(artifact, 'agent')],
    ['model', providerModel(artifact)],
    ['subtask', typeof subtask === 'boolean' ? subtask : undefined],
  ]);
}

/** OpenCode replaces every `$` before digits and has no escape for it. */
const ARGUMENTS: ArgumentForm = {
  all: '$ARGUMENTS',
  position: (n) => `$${n}`,
  amount: '$ ',
};

export const COMMAND = {
  render: commandText,
  takes: {
    agent: 'native',
    model: modelsOf(providerModel),
    subtask: 'native',
  } satisfies SupportedKeys,
  arguments: ARGUMENTS,
};
