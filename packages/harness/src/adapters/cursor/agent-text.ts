import type { Artifact } from '@catalog/core/artifact/types';
import type { PlaceContext } from '../../adapter.ts';
import {
  authoredNames,
  authoredText,
  authoredValue,
  projectDocument,
} from '../../place/project-frontmatter.ts';

/** An agent with the keys Cursor knows. */
export function agentText(artifact: Artifact, { name }: PlaceContext): string {
  return projectDocument(artifact, [
    ['name', name],
    ['description', artifact.description],
    ['model', modelOf(artifact)],
    ['readonly', isReadonly(artifact) ? true : undefined],
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

/** Tools that change nothing. */
const READING = new Set(['Read', 'Grep', 'Glob', 'LS', 'WebFetch', 'WebSearch', 'TodoWrite']);

/** Cursor has no list of tools, but it can keep an agent from changing anything. */
function isReadonly(artifact: Artifact): boolean {
  if (authoredValue(artifact, 'readonly') === true) return true;
  const tools = authoredNames(artifact, 'tools');
  return tools !== undefined && tools.length > 0 && tools.every((tool) => READING.has(tool));
}
