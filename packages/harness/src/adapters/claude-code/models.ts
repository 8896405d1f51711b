import type { Artifact, ArtifactFields } from '@catalog/core/artifact/types';
import { authoredText } from '../../place/project-frontmatter.ts';

/** Names that stay the same across model generations. */
const CLASSES: Readonly<Record<NonNullable<ArtifactFields['model_class_hint']>, string>> = {
  nano: 'haiku',
  small: 'haiku',
  medium: 'sonnet',
  large: 'opus',
  frontier: 'opus',
};

const KNOWN_MODEL = /^(?:inherit|default|haiku|sonnet|opus|fable|claude-[\w.-]+)(?:\[\w+\])?$/;

export function modelOf(artifact: Artifact): string | undefined {
  const model = authoredText(artifact, 'model');
  if (model !== undefined && KNOWN_MODEL.test(model)) return model;
  const { model_class_hint: hint } = artifact.fields;
  return hint === undefined ? undefined : CLASSES[hint];
}

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'];

/** Returns the effort of an agent, or its hint, which has the same values. */
export function effortOf(artifact: Artifact): string | undefined {
  return authoredEffort(artifact) ?? artifact.fields.effort_hint;
}

export function authoredEffort(artifact: Artifact): string | undefined {
  const effort = authoredText(artifact, 'effort');
  return effort !== undefined && EFFORTS.includes(effort) ? effort : undefined;
}
