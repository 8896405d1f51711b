import type { Artifact } from '@catalog/core/artifact/types';
import type { PlaceContext, Untranslatable } from '../../adapter.ts';
import { fullModelName, mappedTools } from '../../place/agent-keys.ts';
import { withoutDescription } from '../../place/needs-description.ts';
import { projectDocument } from '../../place/project-frontmatter.ts';

/** Copilot's names for the tools an author may name. */
export const TOOLS: ReadonlyMap<string, string> = new Map([
  ['Read', 'read'],
  ['LS', 'read'],
  ['Grep', 'search'],
  ['Glob', 'search'],
  ['Write', 'edit'],
  ['Edit', 'edit'],
  ['MultiEdit', 'edit'],
  ['NotebookEdit', 'edit'],
  ['Bash', 'execute'],
  ['Task', 'agent'],
  ['Agent', 'agent'],
  ['WebSearch', 'web'],
  ['WebFetch', 'web'],
  ['TodoWrite', 'todo'],
]);

/** An agent with the keys Copilot knows. */
export function agentText(artifact: Artifact, { name }: PlaceContext): string | Untranslatable {
  const refusal = withoutDescription(artifact, 'Copilot');
  if (refusal !== undefined) return refusal;
  return projectDocument(artifact, [
    ['name', name],
    ['description', artifact.description],
    ['tools', mappedTools(artifact, TOOLS)],
    ['model', fullModelName(artifact)],
  ]);
}
