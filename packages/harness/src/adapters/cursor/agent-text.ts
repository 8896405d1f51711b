import type { Artifact } from '@catalog/core/artifact/types';
import type { PlaceContext } from '../../adapter.ts';
import { readsOnly, withoutToolList } from '../../place/agent-keys.ts';
import type { SupportedKeys } from '../../place/authored-keys.ts';
import { authoredText, authoredValue, projectDocument } from '../../place/project-frontmatter.ts';

/** Keys of an agent. Cursor has no tool list, but can make an agent read-only. */
export const AGENT_KEYS: SupportedKeys = {
  tools: withoutToolList,
  disallowedTools: withoutToolList,
  permission: withoutToolList,
  readonly: 'native',
  is_background: 'native',
  background: 'converted',
  model: describeModelLoss,
  model_class_hint: (artifact) => (smallModel(artifact) === undefined ? '' : undefined),
};

export function agentText(artifact: Artifact, { name }: PlaceContext): string {
  return projectDocument(artifact, [
    ['name', name],
    ['description', artifact.description],
    ['model', modelOf(artifact)],
    ['readonly', readsOnly(artifact) ? true : undefined],
    ['is_background', BACKGROUND.some((key) => authoredValue(artifact, key) === true) || undefined],
  ]);
}

const BACKGROUND = ['is_background', 'background'];

const MODELS: ReadonlyMap<string, string> = new Map([
  ['haiku', 'fast'],
  ['sonnet', 'inherit'],
  ['opus', 'inherit'],
]);

function modelOf(artifact: Artifact): string | undefined {
  const model = authoredText(artifact, 'model');
  if (model !== undefined) return MODELS.get(model) ?? model;
  return smallModel(artifact);
}

function smallModel({ fields: { model_class_hint: hint } }: Artifact): string | undefined {
  return hint === 'nano' || hint === 'small' ? 'fast' : undefined;
}

function describeModelLoss(artifact: Artifact): string | undefined {
  const model = authoredText(artifact, 'model') ?? '';
  return MODELS.get(model) === 'inherit'
    ? `Cursor has no model ${model}, so \`inherit\` is written and the model of the session is used`
    : undefined;
}
