import type { Artifact } from '@catalog/core/artifact/types';
import type { PlaceContext, Untranslatable } from '../../adapter.ts';
import { fullModelName, mappedTools } from '../../place/agent-keys.ts';
import { withoutDescription } from '../../place/needs-description.ts';
import { projectDocument } from '../../place/project-frontmatter.ts';

export const TOOLS: ReadonlyMap<string, string> = new Map([
  ['Read', 'Read'],
  ['Grep', 'Grep'],
  ['Glob', 'Glob'],
  ['Write', 'Write'],
  ['Edit', 'Edit'],
  ['MultiEdit', 'Edit'],
  ['Bash', 'Bash'],
  ['WebSearch', 'WebSearch'],
  ['AskUserQuestion', 'AskUserQuestion'],
]);

const NAME = /^[a-z][a-z0-9-]*$/;

const OTHER_NAME =
  'Junie names agents with lowercase letters, digits and hyphens, a letter first; rename it, or leave junie out with target_harnesses';

const NO_TOOLS =
  'Junie gives an agent with an empty list of tools every tool, and has none of those the agent names; name one it has, or leave junie out with target_harnesses';

export function agentText(artifact: Artifact, { name }: PlaceContext): string | Untranslatable {
  const { effort_hint: effort } = artifact.fields;
  const refusal = withoutDescription(artifact, 'Junie');
  if (refusal !== undefined) return refusal;
  if (!NAME.test(name)) return { untranslatable: OTHER_NAME };
  const tools = mappedTools(artifact, TOOLS);
  if (tools?.length === 0) return { untranslatable: NO_TOOLS };
  return projectDocument(artifact, [
    ['name', name],
    ['description', artifact.description],
    ['tools', tools],
    ['model', fullModelName(artifact)],
    ['reasoningLevel', effort === 'max' ? 'high' : effort],
  ]);
}
