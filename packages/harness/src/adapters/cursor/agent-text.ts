import type { Artifact } from '@catalog/core/artifact/types';
import type { PlaceContext } from '../../adapter.ts';
import { readsOnly, withoutToolList } from '../../place/agent-keys.ts';
import type { TakenKeys } from '../../place/narrowing-keys.ts';
import { authoredText, authoredValue, projectDocument } from '../../place/project-frontmatter.ts';

/** Cursor has no list of tools, but it can keep an agent from changing anything. */
export const AGENT_KEYS: TakenKeys = {
  tools: withoutToolList,
  readonly: 'native',
  model: 'native',
};

/** An agent with the keys Cursor knows. */
export function agentText(artifact: Artifact, { name }: PlaceContext): string {
  return projectDocument(artifact, [
    ['name', name],
    ['description', artifact.description],
    ['model', modelOf(artifact)],
    ['readonly', readsOnly(artifact) ? true : undefined],
    ['is_background', authoredValue(artifact, 'is_background') === true ? true : undefined],
  ]);
}

/** Names of another product's models, by what Cursor has in their place. */
const MODELS: ReadonlyMap<string, string> = new Map([
  ['haiku', 'fast'],
  ['sonnet', 'inherit'],
  ['opus', 'inherit'],
]);

/** The author's model, else a small one where a small one is said to do. */
function modelOf(artifact: Artifact): string | undefined {
  const model = authoredText(artifact, 'model');
  if (model !== undefined) return MODELS.get(model) ?? model;
  const { model_class_hint: hint } = artifact.fields;
  return hint === 'nano' || hint === 'small' ? 'fast' : undefined;
}
