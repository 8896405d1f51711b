import type { Artifact } from '@catalog/core/artifact/types';
import type { PlaceContext, Untranslatable } from '../../adapter.ts';
import { fullModelName, mappedTools } from '../../place/agent-keys.ts';
import { withoutDescription } from '../../place/needs-description.ts';
import { projectDocument } from '../../place/project-frontmatter.ts';

/** Droid's names for the tools an author may name. */
export const TOOLS: ReadonlyMap<string, string> = new Map([
  ['Read', 'Read'],
  ['LS', 'LS'],
  ['Grep', 'Grep'],
  ['Glob', 'Glob'],
  ['Write', 'Create'],
  ['Edit', 'Edit'],
  ['MultiEdit', 'Edit'],
  ['Bash', 'Execute'],
  ['WebSearch', 'WebSearch'],
  ['WebFetch', 'FetchUrl'],
  ['TodoWrite', 'TodoWrite'],
]);

/** An agent with the keys Droid knows. */
export function agentText(artifact: Artifact, { name }: PlaceContext): string | Untranslatable {
  const { effort_hint: effort } = artifact.fields;
  const refusal = withoutDescription(artifact, 'Droid');
  if (refusal !== undefined) return refusal;
  return projectDocument(artifact, [
    ['name', name],
    ['description', artifact.description],
    ['model', fullModelName(artifact) ?? 'inherit'],
    ['reasoningEffort', effort === 'max' ? 'high' : effort],
    ['tools', mappedTools(artifact, TOOLS)],
  ]);
}
