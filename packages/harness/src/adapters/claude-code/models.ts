import type { Artifact, ArtifactFields } from '@catalog/core/artifact/types';
import { authoredText } from '../../place/project-frontmatter.ts';

/** The names that stay the same from one generation of models to the next. */
const CLASSES: Readonly<Record<NonNullable<ArtifactFields['model_class_hint']>, string>> = {
  nano: 'haiku',
  small: 'haiku',
  medium: 'sonnet',
  large: 'opus',
  frontier: 'opus',
};

const KNOWN_MODEL = /^(?:inherit|default|haiku|sonnet|opus|fable|claude-[\w.-]+)(?:\[\w+\])?$/;

/** The author's own model where it is one of this product, else the one the hint comes to. */
export function modelOf(artifact: Artifact): string | undefined {
  const model = authoredText(artifact, 'model');
  if (model !== undefined && KNOWN_MODEL.test(model)) return model;
  const { model_class_hint: hint } = artifact.fields;
  return hint === undefined ? undefined : CLASSES[hint];
}

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'];

/** The author's own effort, else the hint, which has the same words. */
export function effortOf(artifact: Artifact): string | undefined {
  return authoredEffort(artifact) ?? artifact.fields.effort_hint;
}

export function authoredEffort(artifact: Artifact): string | undefined {
  const effort = authoredText(artifact, 'effort');
  return effort !== undefined && EFFORTS.includes(effort) ? effort : undefined;
}
